package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Moved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A recurring timer moves on from occurrence to occurrence, and a repeat of its schedule does not disturb it. */
abstract class RecurrenceContract extends ContractPart {
    private static final String HOURLY = "every PT1H";
    private static final Instant NEXT = NOW.plus(Duration.ofHours(1));
    private static final int MANY = 2_000;

    RecurrenceContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aMovedTimerIsScheduledForAnotherOccurrenceAsANewGeneration() {
        StoredTimer before = given(hourly("a").shard(2).payload("p").priority(3).expiresAt(NOW.plusSeconds(5)));
        store().settle(List.of(retried(before, NOW.plusSeconds(1))));
        StoredTimer neighbour = given(hourly("b"));
        Failure failure = failure("refused");
        Moved moved = new Moved(
                before.key(),
                before.generation(),
                TimerDraft.nextGeneration(),
                NEXT,
                NEXT.plusSeconds(5).plus(TICK),
                NOW.minus(TICK),
                failure);

        assertThat(store().settle(List.of(moved))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(row(before, moved));
        assertThat(stored("b")).isEqualTo(neighbour);
    }

    @Test
    void aMoveMayLeaveNoDeadlineNoPreviousAndNoFailure() {
        StoredTimer before = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        Moved first = new Moved(
                before.key(), before.generation(), TimerDraft.nextGeneration(), NEXT, NEXT, NOW, failure("x"));
        store().settle(List.of(first));
        Moved second = new Moved(
                before.key(), first.nextGeneration(), TimerDraft.nextGeneration(), NEXT.plus(TICK), null, null, null);

        assertThat(store().settle(List.of(second))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(row(before, second));
    }

    @Test
    void aMovedTimerIsDueAtItsOccurrenceAndNotBefore() {
        StoredTimer before = given(hourly("a").shard(2));
        store().settle(List.of(moved(before, NEXT)));

        assertThat(dueKeys(NEXT.minus(TICK), 2)).isEmpty();
        assertThat(nextDue(List.of(2))).contains(NEXT);
        assertThat(due(NEXT, List.of(2), 10).timers()).containsExactly(stored("a"));
        assertThat(store().query(TimerQuery.all().queue(queue).due(NEXT, NEXT.plus(TICK))))
                .containsExactly(stored("a"));
    }

    @Test
    void movingTwiceCountsOnce() {
        StoredTimer before = given(hourly("a"));
        List<Settlement> outcomes = List.of(moved(before, NEXT));
        assertThat(store().settle(outcomes)).isEqualTo(1);
        StoredTimer once = stored("a");

        assertThat(store().settle(outcomes)).isZero();
        assertThat(store().settle(List.of(ended(before, TimerState.REACHED)))).isZero();

        assertThat(stored("a")).isEqualTo(once);
    }

    @Test
    void manyTimersAreMovedAtOnce() {
        List<NewTimer> timers = IntStream.range(0, MANY)
                .mapToObj(i -> timer(i % 2 == 0 ? key("a" + i) : TimerKey.of(otherTenant, "a" + i))
                        .recurrence(HOURLY)
                        .build())
                .toList();
        store().schedule(timers);
        StoredTimer bystander = given(hourly("bystander"));

        assertThat(store().settle(timers.stream()
                        .map(each -> moved(accepted(each), NEXT))
                        .toList()))
                .isEqualTo(MANY);

        assertThat(store().query(TimerQuery.all()
                        .queue(queue)
                        .due(NEXT, NEXT.plus(TICK))
                        .limit(MANY + 1)))
                .hasSize(MANY)
                .allSatisfy(each -> assertThat(each.previousAt()).isEqualTo(NOW));
        assertThat(stored("bystander")).isEqualTo(bystander);
    }

    @Test
    void aRepeatIsUnchangedWhateverOccurrenceStands() {
        StoredTimer first = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        store().settle(List.of(new Moved(
                first.key(),
                first.generation(),
                TimerDraft.nextGeneration(),
                NEXT,
                NEXT.plusSeconds(5),
                NOW,
                failure("x"))));
        StoredTimer standing = stored("a");

        for (Instant dueAt : List.of(NOW, NEXT, NEXT.plus(Duration.ofHours(7)))) {
            assertThat(schedule(hourly("a").dueAt(dueAt).expiresAt(dueAt.plusSeconds(5)))
                            .outcome())
                    .isEqualTo(ScheduleOutcome.UNCHANGED);
            assertThat(stored("a")).isEqualTo(standing);
        }
    }

    @Test
    void anotherTimeUntilTheDeadlineReschedules() {
        for (Duration validFor :
                List.of(Duration.ofSeconds(5).plus(TICK), Duration.ofSeconds(5).minus(TICK))) {
            String id = "a" + validFor;
            given(hourly(id).expiresAt(NOW.plusSeconds(5)));
            NewTimer changed =
                    hourly(id).dueAt(NEXT).expiresAt(NEXT.plus(validFor)).build();

            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored(id).content().expiresAt()).isEqualTo(NOW.plus(validFor));
        }
        given(hourly("b").expiresAt(NOW.plusSeconds(5)));

        assertThat(schedule(hourly("b")).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("b").content().expiresAt()).isNull();
    }

    @Test
    void otherContentKeepsTheOccurrenceThatStandsAndThePreviousOne() {
        StoredTimer first = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        StoredTimer standing = movedTo(first, NEXT);
        NewTimer changed = hourly("a")
                .dueAt(NEXT.plus(Duration.ofHours(3)))
                .expiresAt(NEXT.plus(Duration.ofHours(3)).plusSeconds(9))
                .payload("other")
                .build();

        assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(written(changed, NEXT, NEXT.plusSeconds(9), standing.previousAt()));
        assertThat(stored("a").previousAt()).isEqualTo(NOW);
    }

    @Test
    void anotherWayToCatchUpKeepsTheOccurrenceThatStands() {
        movedTo(given(hourly("a")), NEXT);
        NewTimer all = hourly("a")
                .recurrence(HOURLY + " catchUp=ALL")
                .dueAt(NEXT.plusSeconds(9))
                .build();
        NewTimer none = hourly("a")
                .recurrence(HOURLY + " catchUp=NONE")
                .dueAt(NEXT.plusSeconds(9))
                .build();

        for (NewTimer changed : List.of(all, none, hourly("a").build())) {
            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored("a")).isEqualTo(written(changed, NEXT, null, NOW));
        }
    }

    @Test
    void anotherRuleTakesItsOwnOccurrenceAndKeepsThePreviousOne() {
        for (String rule : List.of("every PT2H", "every PT1H anchor=2000-01-01T00:00:01Z", "every PT1", "Every PT1H")) {
            movedTo(given(hourly(rule)), NEXT);
            NewTimer changed =
                    hourly(rule).recurrence(rule).dueAt(NEXT.plus(TICK)).build();

            assertThat(schedule(changed).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

            assertThat(stored(rule)).as(rule).isEqualTo(written(changed, NEXT.plus(TICK), null, NOW));
        }
    }

    @Test
    void aTimerThatRecursNoMoreForgetsThePreviousOne() {
        movedTo(given(hourly("a")), NEXT);
        NewTimer once = timer("a").dueAt(NEXT).build();

        assertThat(schedule(once).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(accepted(once));
    }

    @Test
    void aTimerThatBeginsToRecurTakesTheGivenOccurrence() {
        given(timer("a"));
        NewTimer recurring = hourly("a").dueAt(NEXT).build();

        assertThat(schedule(recurring).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(stored("a")).isEqualTo(accepted(recurring));
    }

    @Test
    void aCancelledRecurrenceBeginsAnew() {
        StoredTimer moved = movedTo(given(hourly("a")), NEXT);
        store().cancel(moved.key(), NEXT);
        assertThat(stored("a").previousAt()).isEqualTo(NOW);
        NewTimer again = hourly("a").dueAt(NEXT.plus(Duration.ofHours(9))).build();

        assertThat(schedule(again).outcome()).isEqualTo(ScheduleOutcome.CREATED);

        assertThat(stored("a")).isEqualTo(accepted(again));
    }

    @Test
    void aRecurringTimerIsCancelledThoughItsOccurrenceIsInDelivery() {
        StoredTimer timer = given(hourly("a"));

        assertThat(store().cancel(timer.key(), NOW, OptionalLong.of(timer.generation())))
                .isEqualTo(CancelResult.CANCELLED);

        assertThat(store().settle(List.of(moved(timer, NEXT)))).isZero();
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
    }

    private TimerDraft hourly(String timerId) {
        return timer(timerId).recurrence(HOURLY);
    }

    private StoredTimer movedTo(StoredTimer timer, Instant dueAt) {
        assertThat(store().settle(List.of(moved(timer, dueAt)))).isEqualTo(1);
        return stored(timer.key());
    }

    private static StoredTimer written(
            NewTimer timer, Instant dueAt, @Nullable Instant expiresAt, @Nullable Instant previousAt) {
        return row(accepted(timer), timer.generation(), dueAt, expiresAt, previousAt, null);
    }

    private static StoredTimer row(StoredTimer before, Moved moved) {
        return row(
                before, moved.nextGeneration(), moved.dueAt(), moved.expiresAt(), moved.previousAt(), moved.failure());
    }

    private static StoredTimer row(
            StoredTimer before,
            long generation,
            Instant dueAt,
            @Nullable Instant expiresAt,
            @Nullable Instant previousAt,
            @Nullable Failure failure) {
        TimerContent content = before.content();
        TimerContent moved = new TimerContent(
                content.queue(),
                dueAt,
                expiresAt,
                content.type(),
                content.payload(),
                content.headers(),
                content.priority(),
                content.correlationId(),
                content.parallelKey(),
                content.correlationKey(),
                content.recurrence());
        return new StoredTimer(
                before.key(),
                before.shard(),
                moved,
                TimerState.SCHEDULED,
                generation,
                0,
                dueAt,
                before.registeredAt(),
                null,
                previousAt,
                failure);
    }
}
