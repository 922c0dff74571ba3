package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of scheduling a key again before, during and after its delivery. */
class RescheduleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener))
            .build();

    private ScheduleResult schedule(String timerId, Duration delay) {
        return kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    private StoredTimer stored(String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Lets the publisher do something in mid-delivery of the first envelope; returns what it did. */
    private <R> List<R> duringFirstDelivery(Supplier<R> action) {
        List<R> results = new ArrayList<>();
        kit.publisher().onEach(envelope -> {
            if (results.isEmpty()) {
                results.add(action.get());
            }
        });
        return results;
    }

    @Nested
    class Before {
        @Test
        void aTimerMovedToLaterFiresThenOnly() {
            schedule("a", SECOND);
            assertThat(schedule("a", Duration.ofMinutes(1))).isRescheduled();
            kit.advance(Duration.ofMinutes(1).minusNanos(1_000));
            assertThat(kit).hasDeliveredNothing();
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plusSeconds(60));
        }

        @Test
        void aTimerMovedToEarlierFiresThenOnly() {
            schedule("a", Duration.ofMinutes(1));
            assertThat(schedule("a", SECOND)).isRescheduled();
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plusSeconds(1));
        }

        @Test
        void theLastContentIsDelivered() {
            kit.scheduler().schedule(Timer.after("a", SECOND).payload("old").build());
            kit.scheduler().schedule(Timer.after("a", SECOND).payload("new").build());
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredOnce("a").lastOf("a").hasPayload("new", String.class);
        }

        @Test
        void aRepeatOfTheSameCallChangesNothing() {
            Timer timer = Timer.at("a", kit.now().plus(SECOND)).payload("p").build();
            ScheduleResult first = kit.scheduler().schedule(timer);
            ScheduleResult second = kit.scheduler().schedule(timer);
            assertThat(second).isUnchanged();
            assertThat(second.generation()).isEqualTo(first.generation());
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredOnce("a");
        }

        @Test
        void aRepeatAfterALostReplySaysUnchangedAndFiresOnce() {
            Timer timer = Timer.at("a", kit.now().plus(SECOND)).build();
            kit.node(0).failAfter(StoreCall.SCHEDULE);
            assertThatThrownBy(() -> kit.scheduler().schedule(timer)).isInstanceOf(StoreException.class);
            assertThat(kit.scheduler().schedule(timer)).isUnchanged();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plus(SECOND));
        }
    }

    @Nested
    class During {
        @Test
        void theNewScheduleWinsAndIsDeliveredAtItsTime() {
            schedule("a", SECOND);
            List<ScheduleResult> results = duringFirstDelivery(() -> schedule("a", Duration.ofSeconds(30)));
            kit.advance(SECOND);
            assertThat(results.get(0)).isRescheduled();
            assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(stored("a").generation()).isEqualTo(results.get(0).generation());
            assertThat(stored("a").attempt()).isZero();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.delivered())
                    .extracting(each -> each.event().reachedAt())
                    .containsExactly(TestClock.START.plusSeconds(1), TestClock.START.plusSeconds(31));
            assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        }

        @Test
        void theNewGenerationHasAnotherEnvelopeId() {
            schedule("a", SECOND);
            List<ScheduleResult> results = duringFirstDelivery(() -> schedule("a", SECOND));
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.delivered()).extracting(Envelope::id).hasSize(2).doesNotHaveDuplicates();
            assertThat(kit.delivered().get(1))
                    .hasId(results.get(0).envelopeId())
                    .hasAttempt(1);
        }

        @Test
        void theStaleOutcomeIsCountedAsOvertaken() {
            schedule("a", SECOND);
            schedule("b", SECOND);
            duringFirstDelivery(() -> schedule("a", SECOND));
            kit.advance(SECOND);
            assertThat(listener.overtaken).isEqualTo(1);
            kit.advance(Duration.ofMinutes(1));
            assertThat(listener.overtaken).isEqualTo(1);
            assertThat(stored("b").state()).isEqualTo(TimerState.REACHED);
        }

        @Test
        void aPastDueTimeFiresAgainInTheSameInstant() {
            schedule("a", SECOND);
            Instant past = kit.now();
            duringFirstDelivery(
                    () -> kit.scheduler().schedule(Timer.at("a", past).build()));
            kit.advance(SECOND);
            assertThat(kit.delivered("a")).hasSize(2);
            assertThat(kit).lastOf("a").wasDueAt(past).wasReachedAt(kit.now());
        }

        @Test
        void aFailedDeliveryThatWasOvertakenIsNotRetried() {
            schedule("a", SECOND);
            schedule("b", SECOND);
            kit.publisher().failPartiallyOn(envelope -> {
                boolean isFirst = envelope.event().dueAt().equals(TestClock.START.plus(SECOND));
                if (envelope.key().timerId().equals("a") && isFirst) {
                    schedule("a", Duration.ofMinutes(10));
                    return true;
                }
                return false;
            });
            kit.advance(Duration.ofMinutes(5));
            assertThat(kit).hasDeliveredInOrder("b");
            assertThat(stored("a").attempt()).isZero();
            assertThat(stored("a").failure()).isNull();
            kit.advance(Duration.ofMinutes(6));
            assertThat(kit).lastOf("a").hasAttempt(1).wasReachedAt(TestClock.START.plusSeconds(601));
        }

        @Test
        void aStaleOutcomeDoesNotSettleARecreatedTimer() {
            TimerKit forgetful = TimerKit.builder()
                    .configure(scheduler -> scheduler.retention(Duration.ZERO))
                    .build();
            forgetful.scheduler().schedule(Timer.after("a", SECOND).build());
            StoredTimer old = forgetful.scheduler().find(TimerKey.of("a")).orElseThrow();
            List<ScheduleResult> results = new ArrayList<>();
            forgetful.publisher().onEach(envelope -> {
                if (results.isEmpty()) {
                    forgetful.store().settle(List.of(new Settlement.Deleted(old.key(), old.generation())));
                    results.add(forgetful
                            .scheduler()
                            .schedule(Timer.after("a", SECOND).build()));
                }
            });
            forgetful.advance(SECOND);
            assertThat(results.get(0)).isCreated();
            forgetful.advance(SECOND);
            assertThat(forgetful.delivered("a")).hasSize(2);
        }
    }

    @Nested
    class After {
        @Test
        void aReachedTimerIsNotScheduledAgain() {
            schedule("a", SECOND);
            kit.advance(SECOND);
            assertThat(schedule("a", SECOND)).isIgnored(TimerState.REACHED);
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredOnce("a");
        }

        @Test
        void aReachedTimerIsScheduledAgainWhenItIsRearmed() {
            String first = schedule("a", SECOND).envelopeId();
            kit.advance(SECOND);
            ScheduleResult second =
                    kit.scheduler().schedule(Timer.after("a", SECOND).rearm().build());
            assertThat(second).isCreated();
            kit.advance(SECOND);
            assertThat(kit.delivered("a")).extracting(Envelope::id).containsExactly(first, second.envelopeId());
        }
    }
}
