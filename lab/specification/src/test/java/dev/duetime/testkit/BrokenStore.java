package dev.duetime.testkit;

import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.util.List;
import java.util.function.Function;

/**
 * A defect of a store.
 *
 * @param defect what it does
 * @param breaking breaks an intact store
 * @param noticedBy sentences of the contract that must notice, as {@code Chapter.sentence}
 */
record BrokenStore(String defect, Function<InMemoryScheduleStore, ScheduleStore> breaking, List<String> noticedBy) {

    static List<BrokenStore> all() {
        return List.of(
                new BrokenStore(
                        "stale outcomes are written",
                        BrokenWrites.StaleOutcomes::new,
                        List.of(
                                "Settle.aRescheduleDuringDeliveryWins",
                                "ScheduleEnded.aDeletedKeyIsCreatedAndNoOutcomeOfTheOldGenerationTouchesIt")),
                new BrokenStore(
                        "moves keep the generation",
                        BrokenWrites.MovesInPlace::new,
                        List.of(
                                "Moving.aMovedTimerIsScheduledForAnotherOccurrenceAsANewGeneration",
                                "Moving.movingTwiceCountsOnce")),
                new BrokenStore(
                        "ended timers are scheduled again",
                        BrokenWrites.EndedAgain::new,
                        List.of(
                                "ScheduleEnded.aKeyThatWasReachedExpiredOrDiedIsIgnored",
                                "Joining.endedTimersAreIgnoredAndTooLateInsideToo")),
                new BrokenStore(
                        "scopes of todos are forgotten",
                        BrokenMerges.ScopeForgotten::new,
                        List.of(
                                "TodoKey.aTimerAndTodosOfTwoQueuesMayHaveOneId",
                                "TodoKey.aBatchDistinguishesTimersAndTodosOfOneId")),
                new BrokenStore(
                        "steps are forgotten",
                        BrokenMerges.StepForgotten::new,
                        List.of("Step.everyReadReturnsTheStep", "Step.aRepeatOfATodoIsUnchangedWhateverItsContent")),
                new BrokenStore(
                        "todos move on in place",
                        BrokenMerges.advances(BrokenMerges::inPlace),
                        List.of("Advance.anotherGenerationIsSkipped")),
                new BrokenStore(
                        "todos move on with any payload",
                        BrokenMerges.advances(BrokenMerges::withAnyPayload),
                        List.of("Advance.aPayloadThatHasNotChangedStays", "Advance.aBatchMixesAllKinds")),
                new BrokenStore(
                        "todos move on without their payload",
                        BrokenMerges.advances(BrokenMerges::withoutPayload),
                        List.of("Advance.anAdvanceChangesExactlyTheGivenParts", "Advance.aPayloadMayBecomeEmpty")),
                new BrokenStore(
                        "starts are not marked",
                        BrokenMerges.StartsNothing::new,
                        List.of(
                                "Start.onlyTheStartedTodoIsNoLongerOffered",
                                "Correlating.todosOfOtherKeysAreNotFound")),
                new BrokenStore(
                        "starts are of any generation",
                        BrokenMerges.StartsAnyGeneration::new,
                        List.of("Start.aTimerOfAnotherGenerationOrStateIsNotMarked")),
                new BrokenStore(
                        "the earliest is offered",
                        BrokenMerges.OffersTheEarliest::new,
                        List.of(
                                "Correlating.theLatestIsFoundWhenceverItCame",
                                "Correlating.amongTodosDueTogetherTheGreatestKeyIsFound")),
                new BrokenStore(
                        "correlation keys are not locked",
                        BrokenMerges.LocksNothing::new,
                        List.of("CorrelatedRace.oneOfSeveralConcurrentEnqueuersInsertsAndTheOthersMerge")),
                new BrokenStore(
                        "parallel keys are not left out",
                        BrokenMerges.reads(BrokenMerges::forgetsKeys),
                        List.of(
                                "Excluding.onlyTimersOfTheParallelKeysAreLeftOut",
                                "Excluding.theOtherTimersAreReadInOrderAndInPages")),
                new BrokenStore(
                        "timers of other parallel keys are read too",
                        BrokenMerges.reads(BrokenMerges::forgetsOnly),
                        List.of(
                                "Excluding.allTimersButThoseOfTheOnlyKeysAreLeftOut",
                                "Excluding.timersOfTheOnlyKeysAreReadInOrderAndInPages")),
                new BrokenStore(
                        "tenants are left out whatever the priority",
                        BrokenMerges.reads(BrokenMerges::forgetsPriority),
                        List.of("Excluding.timersOfTheTenantsAreLeftOutUpToAPriority")),
                new BrokenStore(
                        "tenants are left out below the priority",
                        BrokenMerges.reads(BrokenMerges::leavesOutLess),
                        List.of("Excluding.timersOfTheTenantsAreLeftOutUpToAPriority")),
                new BrokenStore(
                        "own transactions commit at once",
                        BrokenMerges.CommitsAtOnce::new,
                        List.of(
                                "OwnTransactions.uncommittedWritesAreUndoneByClosing",
                                "OwnTransactions.writesAreVisibleToOthersOnlyAfterTheCommit")),
                new BrokenStore(
                        "own transactions commit by closing",
                        BrokenMerges.CommitsByClosing::new,
                        List.of("OwnTransactions.uncommittedWritesAreUndoneByClosing")),
                new BrokenStore(
                        "repeats are written",
                        BrokenWrites.RepeatsWritten::new,
                        List.of(
                                "Schedule.aRepeatIsUnchangedAndWritesNothing",
                                "Schedule.aRepeatWhileARetryIsPendingIsUnchangedAndLeavesTheRetry")),
                new BrokenStore(
                        "trace headers are content",
                        BrokenWrites.TraceIsContent::new,
                        List.of("Schedule.aRepeatWithOtherTraceHeadersIsUnchangedAndKeepsTheStoredOnes")),
                new BrokenStore(
                        "the newest is first",
                        BrokenReads.NewestFirst::new,
                        List.of(
                                "Due.theOldestIsFirstAcrossShards",
                                "DuePaging.noTimerBehindAPageIsEarlierThanItsLast")),
                new BrokenStore(
                        "due is a microsecond early",
                        BrokenReads.DueEarly::new,
                        List.of("Due.aTimerIsDueAtItsTimeAndNotAMicrosecondBefore")),
                new BrokenStore(
                        "every read begins with the oldest",
                        BrokenReads.FromTheOldest::new,
                        List.of("Due.timersThatWakeBeforeTheGivenTimeAreNotRead")),
                new BrokenStore(
                        "more is forgotten",
                        BrokenReads.MoreForgotten::new,
                        List.of("DuePaging.moreIsNeverFalseWhileThereIsMore")),
                new BrokenStore(
                        "other shards are read",
                        BrokenReads.OtherShards::new,
                        List.of("Due.onlyTheGivenShardsAreRead", "NextDue.onlyTheGivenShardsCount")),
                new BrokenStore(
                        "a timer is read in its former shard, too",
                        BrokenReads.FormerShards::new,
                        List.of(
                                "Placement.aRescheduleIntoAnotherShardLeavesNothingInTheFormerOne",
                                "Placement.aCancelledTimerMayBeScheduledIntoAnotherShard",
                                "Placement.nodesThatScheduleAKeyIntoDifferentShardsAtOnceLeaveItInOne")),
                new BrokenStore(
                        "batches are written one by one",
                        BrokenWrites.OneByOne::new,
                        List.of(
                                "ScheduleBatch.aBatchThatFailsWritesNothing",
                                "ScheduleBatch.aBatchBecomesVisibleAtOnce")),
                new BrokenStore(
                        "the first of a batch wins",
                        BrokenWrites.FirstWins::new,
                        List.of("ScheduleBatch.aKeyGivenSeveralTimesIsScheduledOneAfterTheOtherAndTheLastWins")),
                new BrokenStore(
                        "results are guessed before the write",
                        BrokenWrites.Guesses::new,
                        List.of("ScheduleRace.oneOfSeveralEqualSchedulesCreatesAndAllNameItsGeneration")),
                new BrokenStore(
                        "ended timers are due as long as they are awake",
                        BrokenReads.EndedAreDue::new,
                        List.of(
                                "DamagedDue.anEndedRowWithAWakeTimeIsNeitherDueNorNext",
                                "DamagedDue.aRowInAnUnknownStateIsNeitherDueNorNext")),
                new BrokenStore(
                        "rows that cannot be read are left out",
                        BrokenReads.UnreadableForgotten::new,
                        List.of("DamagedDue.anUnreadableRowIsReportedSeparately")),
                new BrokenStore(
                        "next due is at the very time",
                        BrokenReads.NextDueAgain::new,
                        List.of("NextDue.onlyTimesAfterTheGivenOneCount")),
                new BrokenStore(
                        "settled is everything given",
                        BrokenWrites.CountsAll::new,
                        List.of("Settle.settlingTwiceCountsOnce", "Settle.anOutcomeOfAnAbsentTimerIsSkipped")),
                new BrokenStore(
                        "purge takes those of the very time",
                        BrokenReads.PurgeEarly::new,
                        List.of("Purge.onlyTimersThatEndedBeforeTheGivenTimeArePurged")),
                new BrokenStore(
                        "keys ignore case",
                        BrokenWrites.KeysIgnoreCase::new,
                        List.of("Key.timersWhoseIdsLookAlikeAreDifferentTimers")),
                new BrokenStore(
                        "times are milliseconds",
                        BrokenWrites.Milliseconds::new,
                        List.of("Content.eachMicrosecondIsKept")),
                new BrokenStore(
                        "queries forget the tenant",
                        BrokenReads.AllTenants::new,
                        List.of("Query.aTenantFindsOnlyItsTimers", "Query.allConditionsMustMatch")),
                new BrokenStore(
                        "held shards are acquired",
                        BrokenReads.TakesHeldShards::new,
                        List.of(
                                "LeaseAcquire.aShardThatAnotherNodeHoldsIsNotAcquired",
                                "LeaseAcquire.nodesThatRaceForFreeShardsGetDisjointOnes")),
                new BrokenStore(
                        "leases end a microsecond early",
                        BrokenReads.LeasesEndEarly::new,
                        List.of("LeaseAcquire.aLeaseHoldsUntilItsEndAndNotAMicrosecondLonger")),
                new BrokenStore(
                        "dead timers are revived in whatever generation",
                        BrokenAdmin.RevivesAny::new,
                        List.of("Revive.aTimerThatDiedInAnotherGenerationIsSkipped")),
                new BrokenStore(
                        "timers that are due are delivered now again",
                        BrokenAdmin.DeliversEarly::new,
                        List.of("DeliverNow.aTimerThatIsDueAlreadyIsSkipped")),
                new BrokenStore(
                        "rescheduled timers are cancelled too",
                        BrokenAdmin.CancelsAny::new,
                        List.of("Bulk.aTimerThatChangedMeanwhileIsNotCancelled")),
                new BrokenStore(
                        "pauses are forgotten",
                        BrokenAdmin.ForgetsPauses::new,
                        List.of("Pause.aPauseIsReportedForItsQueueOnlyAndEachTime")),
                new BrokenStore(
                        "moved items are removed too",
                        BrokenTodos.by(BrokenTodos::removesMoved),
                        List.of("Todo.anItemThatWasMovedIsNotRemovedAsUnmoved")),
                new BrokenStore(
                        "overdue is a microsecond early",
                        BrokenTodos.by(BrokenTodos::overdueEarly),
                        List.of("Todo.anItemIsOverdueAtItsTimeAndNotAMicrosecondBefore")),
                new BrokenStore(
                        "the newest item is first",
                        BrokenTodos.by(BrokenTodos::newestFirst),
                        List.of("Todo.pagesReturnTheOldestFirstWithoutGapOrRepeat")),
                new BrokenStore(
                        "each page is the first",
                        BrokenTodos.by(BrokenTodos::forgetsThePlace),
                        List.of("Todo.aPageBeginsAfterAnItemEvenIfItWasRemovedOrMoved")),
                new BrokenStore(
                        "pages go on by time alone",
                        BrokenTodos.by(BrokenTodos::pagesByTimeAlone),
                        List.of("Todo.aPageBeginsAfterAnItemEvenIfItWasRemovedOrMoved")),
                new BrokenStore(
                        "items are never moved",
                        BrokenTodos.by(BrokenTodos::neverMoves),
                        List.of("Todo.anItemThatIsPutAgainWithAnotherTimeIsMovedEitherWay")),
                new BrokenStore(
                        "the caller's transaction is not joined",
                        BrokenWrites.OwnTransaction::new,
                        List.of(
                                "Joining.aRollbackLeavesNothingOfASchedule",
                                "Joining.nothingIsVisibleOutsideBeforeTheCommit",
                                "TodoJoining.aRollbackLeavesItemsAsTheyWere",
                                "TodoJoining.nothingIsVisibleOutsideBeforeTheCommit")));
    }

    @Override
    public String toString() {
        return defect;
    }
}
