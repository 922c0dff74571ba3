package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.specification.RecordingListener;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import dev.duetime.testkit.PassThroughAdmin;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of how an operator cancels many timers. */
class AdminCancelTest extends OperatedKit {
    @Test
    void allScheduledTimersOfATypeAreCancelledAndNoOthers() {
        for (String id : List.of("a", "b", "c")) {
            kit.scheduler().schedule(Timer.after(id, SECOND).type("reminder").build());
        }
        schedule("other", SECOND);

        assertThat(admin.cancel(ALL.type("reminder").limit(2))).isEqualTo(3);
        kit.advance(HOUR);

        assertThat(kit).hasDeliveredInOrder("other");
        assertThat(admin.cancel(ALL.type("reminder"))).isZero();
    }

    @Test
    void listenersGetEachCancelledBatch() {
        RecordingListener listener = new RecordingListener();
        TimerKit told = TimerKit.builder()
                .configure(scheduler -> scheduler.listener(listener))
                .build();
        for (String id : List.of("a", "b", "c", "d")) {
            told.scheduler().schedule(Timer.after(id, SECOND).type("reminder").build());
        }

        told.scheduler().admin().cancel(ALL.type("none"));
        told.scheduler().admin().cancel(ALL.type("reminder").limit(3));

        assertThat(listener.cancelledByQuery).containsExactly(3, 1);
    }

    @Test
    void allScheduledTimersOfATenantAreCancelled() {
        kit.scheduler().schedule(TimerKey.of("acme", "a"), SECOND, null);
        kit.scheduler().schedule(TimerKey.of("acne", "a"), SECOND, null);

        assertThat(admin.cancel(ALL.tenantId("acme"))).isEqualTo(1);
        kit.advance(SECOND);

        assertThat(kit.delivered()).extracting(Envelope::key).containsExactly(TimerKey.of("acne", "a"));
    }

    @Test
    void timersInDeliveryOnThisNodeAreNotCancelled() {
        List<Long> cancelled = new ArrayList<>();
        kit.publisher().onEach(each -> cancelled.add(admin.cancel(ALL.tenantId("default"))));
        schedule("a", SECOND);
        schedule("b", SECOND);
        schedule("later", HOUR);

        kit.advance(SECOND);

        assertThat(cancelled).containsExactly(1L, 0L);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("b").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("later").state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aRecurringTimerIsCancelledDuringItsDelivery() {
        List<Long> cancelled = new ArrayList<>();
        kit.publisher().onEach(each -> cancelled.add(admin.cancel(ALL.tenantId("default"))));
        recurring("a");
        schedule("once", SECOND);

        kit.advance(HOUR);

        assertThat(cancelled).containsExactly(1L, 0L);
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(stored("once").state()).isEqualTo(TimerState.REACHED);
        assertThat(kit.delivered("a")).hasSize(1);
    }

    @Test
    void aRecurringTimerIsCancelledAlthoughItHasMovedOn() {
        List<Runnable> afterRead = new ArrayList<>();
        InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());
        PassThroughAdmin movingOn = new PassThroughAdmin(store.admin()) {
            @Override
            public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
                TimerVersion.Page read = super.versions(query, endedBefore);
                afterRead.forEach(Runnable::run);
                return read;
            }
        };
        try (TimerKit moving = TimerKit.builder()
                .store(new PassThroughStore(store) {
                    @Override
                    public StoreAdmin admin() {
                        return movingOn;
                    }
                })
                .build()) {
            moving.scheduler()
                    .schedule(Timer.recurring("a", Recurrence.every(SECOND)).build());
            afterRead.add(() -> moving.advance(SECOND));

            assertThat(moving.scheduler().admin().cancel(ALL.tenantId("default")))
                    .isEqualTo(1);

            moving.advance(HOUR);
            assertThat(moving.delivered("a")).hasSize(1);
        }
    }

    private void recurring(String timerId) {
        kit.scheduler()
                .schedule(Timer.recurring(timerId, Recurrence.every(SECOND)).build());
    }

    @Test
    void aCancelledTimerMayBeScheduledAgainAtOnce() {
        schedule("a", SECOND);
        admin.cancel(ALL.tenantId("default"));
        schedule("a", SECOND);
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aQueryWithoutAnyConditionIsRefused() {
        assertThatThrownBy(() -> admin.cancel(ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "query must name a tenantId, type, queue, due time or filter to cancel but was");
        assertThatThrownBy(() -> admin.cancel(ALL.tenantId("acme").state(TimerState.DEAD)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state must be SCHEDULED to cancel but was DEAD");
    }
}
