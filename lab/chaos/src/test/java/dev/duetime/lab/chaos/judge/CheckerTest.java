package dev.duetime.lab.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Kind;
import dev.duetime.lab.chaos.log.Logs;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests with made-up logs, one for each way in which a run can be wrong. */
class CheckerTest {
    private static final long DUE = 10_000_000;
    private static final String A = "node-1.1";

    @Test
    void aTimerThatIsDeliveredOnceAtItsTimeIsSound() {
        Verdict verdict = new Logs()
                .schedule(1, 0, DUE, "CREATED")
                .delivered(1, DUE, DUE, A, 1)
                .check();

        assertThat(verdict.isSound()).isTrue();
        assertThat(verdict.calls().accepted()).isEqualTo(1);
        assertThat(verdict.deliveries().delivered()).isEqualTo(1);
    }

    @Test
    void aDeliveryOneMicrosecondBeforeTheDueTimeIsEarly() {
        Verdict verdict = new Logs()
                .schedule(1, 0, DUE, "CREATED")
                .delivered(1, DUE - 1, DUE, A, 1)
                .check();

        assertThat(verdict.findings().early()).hasSize(1);
        assertThat(verdict.isSound()).isFalse();
    }

    @Nested
    class Lost {
        @Test
        void anAcceptedTimerThatIsNotDeliveredIsLost() {
            Verdict verdict = new Logs().schedule(1, 0, DUE, "CREATED").check();

            assertThat(verdict.findings().lost()).hasSize(1);
            assertThat(verdict.isSound()).isFalse();
        }

        @Test
        void aRescheduledTimerMustBeDeliveredAsItWasScheduledLast() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").schedule(2, 50, DUE + 5, "RESCHEDULED");

            assertThat(logs.check().findings().lost()).hasSize(1);
            assertThat(logs.delivered(1, DUE, DUE, A, 1).check().findings().lost())
                    .hasSize(1);
            assertThat(logs.delivered(2, DUE + 5, DUE + 5, A, 2)
                            .check()
                            .findings()
                            .lost())
                    .isEmpty();
        }

        @Test
        void aCancelledTimerNeedNotBeDelivered() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").cancel(2, 50, "CANCELLED", 1);

            assertThat(logs.check().isSound()).isTrue();
        }

        @Test
        void aTimerThatIsTooLateToCancelMustBeDelivered() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").cancel(2, DUE, "TOO_LATE", 1);

            assertThat(logs.check().findings().lost()).hasSize(1);
        }

        @Test
        void aTimerThatCannotBeFoundMustBeDelivered() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").cancel(2, 50, "NOT_FOUND", 1);

            assertThat(logs.check().findings().lost()).hasSize(1);
        }

        @Test
        void aTimerThatIsScheduledAgainAfterItsCancellationMustBeDelivered() {
            Logs logs = new Logs()
                    .schedule(1, 0, DUE, "CREATED")
                    .cancel(2, 50, "CANCELLED", 1)
                    .schedule(3, 90, DUE, "CREATED");

            assertThat(logs.check().findings().lost()).hasSize(1);
        }

        @Test
        void aTimerThatTheStoreReportsAsReachedMustHaveBeenDelivered() {
            Logs logs = new Logs().unanswered(1, 0, Kind.SCHEDULE, DUE).schedule(2, DUE, DUE + 9, "IGNORED", "id-1", 1);

            assertThat(logs.check().findings().lost()).hasSize(1);
            assertThat(logs.delivered(1, DUE, DUE, A, 1).check().isSound()).isTrue();
        }
    }

    @Nested
    class LostReplies {
        @Test
        void aScheduleWithoutAnAnswerMayOrMayNotBeDelivered() {
            Logs logs = new Logs().unanswered(1, 0, Kind.SCHEDULE, DUE);

            assertThat(logs.check().isSound()).isTrue();
            assertThat(logs.delivered(1, DUE, DUE, A, 1).check().isSound()).isTrue();
            assertThat(logs.check().calls().ambiguous()).isEqualTo(1);
        }

        @Test
        void aRescheduleWithoutAnAnswerMustBeDeliveredInEitherForm() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").unanswered(2, 50, Kind.SCHEDULE, DUE + 5);

            assertThat(logs.check().findings().lost()).hasSize(1);
            assertThat(logs.delivered(2, DUE + 5, DUE + 5, A, 1).check().isSound())
                    .isTrue();
        }

        @Test
        void aCancelWithoutAnAnswerClaimsNothing() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").unanswered(2, 50, Kind.CANCEL, 0);

            assertThat(logs.check().isSound()).isTrue();
        }

        @Test
        void aCancelThatIsTooLateAtItsSecondTryClaimsNothing() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").cancel(2, 50, "TOO_LATE", 2);

            assertThat(logs.check().isSound()).isTrue();
        }
    }

    @Nested
    class Wrong {
        @Test
        void aDeliveryWithoutAScheduleIsWrong() {
            assertThat(new Logs()
                            .delivered(1, DUE, DUE, A, 1)
                            .check()
                            .findings()
                            .wrong())
                    .hasSize(1);
        }

        @Test
        void aDeliveryWithAnotherDueTimeIsWrong() {
            Logs logs = new Logs().schedule(1, 0, DUE, "CREATED").delivered(1, DUE, DUE - 1, A, 1);

            assertThat(logs.check().findings().wrong()).hasSize(1);
        }

        @Test
        void aDeliveryUnderAnotherIdIsWrong() {
            Logs logs =
                    new Logs().schedule(1, 0, DUE, "CREATED").add(new Delivered(DUE, A, 1, Logs.KEY, 1, "other", DUE));

            assertThat(logs.check().findings().wrong()).hasSize(1);
        }

        @Test
        void aDeliveryInFlightDuringTheCancellationIsOnlyOvertaken() {
            Logs logs = new Logs()
                    .schedule(1, 0, DUE, "CREATED")
                    .cancel(2, DUE, "CANCELLED", 1)
                    .delivered(1, DUE + 500, DUE, A, 1);

            assertThat(logs.check().isSound()).isTrue();
            assertThat(logs.check().deliveries().overtaken()).isEqualTo(1);
        }

        @Test
        void aDeliveryLongAfterTheCancellationIsWrongUnlessItsNodeWasStopped() {
            Logs logs = new Logs()
                    .schedule(1, 0, DUE, "CREATED")
                    .cancel(2, DUE, "CANCELLED", 1)
                    .delivered(1, DUE + 5_000_000, DUE, A, 1);

            assertThat(logs.check().findings().wrong()).hasSize(1);
            assertThat(logs.fault(DUE, DUE + 4_900_000, "pause", A).check().isSound())
                    .isTrue();
        }
    }
}
