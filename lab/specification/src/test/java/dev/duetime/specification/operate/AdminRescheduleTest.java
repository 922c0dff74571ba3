package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of how an operator moves scheduled timers to another time. */
class AdminRescheduleTest extends OperatedKit {
    private static final TimerKey A = TimerKey.of("a");

    @Test
    void aTimerIsDeliveredAtItsNewTimeOnlyWithANewEnvelopeId() {
        schedule("a", HOUR);
        StoredTimer waiting = stored("a");

        assertThat(admin.reschedule(A, kit.now().plus(HOUR.multipliedBy(2)))).isTrue();
        kit.advance(HOUR);
        assertThat(kit).hasNotDelivered("a");
        kit.advance(HOUR);

        assertThat(kit).hasDeliveredOnce("a");
        assertThat(kit.delivered("a").get(0).id()).isNotEqualTo(waiting.envelopeId());
        assertThat(kit.delivered("a").get(0).event().dueAt()).isEqualTo(kit.now());
        assertThat(stored("a").registeredAt()).isEqualTo(waiting.registeredAt());
    }

    @Test
    void anEarlierTimeWakesTheLoopAndAPastOneDeliversAtOnce() {
        schedule("a", HOUR);
        schedule("b", HOUR);

        admin.reschedule(A, kit.now().plus(SECOND));
        admin.reschedule(TimerKey.of("b"), kit.now().minus(HOUR));
        kit.runDue();

        assertThat(kit).hasDeliveredOnce("b").hasNotDelivered("a");
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aTimerThatWaitsOnAPausedQueueIsMoved() {
        schedule("a", SECOND);
        admin.pause("default");
        kit.advance(SECOND);

        assertThat(admin.reschedule(A, kit.now().plus(HOUR))).isTrue();
        admin.resume("default");
        kit.runDue();

        assertThat(kit).hasNotDelivered("a");
        kit.advance(HOUR);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aTimerThatIsInDeliveryHereIsLeftAlone() {
        Instant[] moved = {null};
        kit.publisher().onEach(envelope -> {
            if (envelope.key().equals(A)) {
                moved[0] = admin.reschedule(A, kit.now().plus(HOUR)) ? kit.now() : Instant.MIN;
            }
        });
        schedule("a", SECOND);

        kit.advance(HOUR.multipliedBy(2));

        assertThat(moved[0]).isEqualTo(Instant.MIN);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void recurringAndEndedTimersAreLeftAlone() {
        kit.scheduler().schedule(Timer.recurring("a", Recurrence.every(HOUR)).build());
        dead("dead");
        schedule("cancelled", HOUR);
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        StoredTimer recurring = stored("a");

        for (String id : new String[] {"a", "dead", "cancelled", "absent"}) {
            assertThat(admin.reschedule(TimerKey.of(id), kit.now())).as(id).isFalse();
        }
        assertThat(admin.reschedule(ALL.queue("default"), kit.now())).isZero();
        assertThat(stored("a")).isEqualTo(recurring);
    }

    @Test
    void allThatMatchAreMovedInBatchesButForThoseWithAnEarlierDeadline() {
        for (String id : new String[] {"a", "b", "c", "d", "e"}) {
            kit.scheduler().schedule(Timer.after(id, HOUR).type("invoice").build());
        }
        kit.scheduler()
                .schedule(Timer.after("strict", HOUR)
                        .type("invoice")
                        .validFor(SECOND)
                        .build());
        schedule("other", HOUR);
        int before = kit.node(0).calls(StoreCall.RESCHEDULE);

        assertThat(admin.reschedule(ALL.type("invoice").limit(2), kit.now().plus(HOUR.multipliedBy(2))))
                .isEqualTo(5);

        assertThat(kit.node(0).calls(StoreCall.RESCHEDULE) - before).isEqualTo(3);
        kit.advance(HOUR);
        assertThat(kit).hasDeliveredOnce("strict").hasDeliveredOnce("other").hasNotDelivered("a");
        kit.advance(HOUR);
        assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("e");
    }

    @Test
    void aLostReplyStillWakesTheLoop() {
        schedule("a", HOUR);
        kit.node(0).failAfter(StoreCall.RESCHEDULE);

        assertThatThrownBy(() -> admin.reschedule(A, kit.now())).isInstanceOf(StoreException.class);
        kit.runDue();

        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aTimeOutOfRangeOrAQueryForEverythingIsRefused() {
        kit.scheduler().schedule(Timer.after("a", HOUR).validFor(HOUR).build());
        StoredTimer waiting = stored("a");
        Instant tooLate = kit.now().plus(Duration.ofHours(3));

        assertThatThrownBy(() -> admin.reschedule(A, tooLate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dueAt must not be after the deadline of the timer, %s, but was %s"
                        .formatted(waiting.content().expiresAt(), tooLate));
        assertThatThrownBy(() -> admin.reschedule(A, Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("dueAt must be");
        assertThatThrownBy(() -> admin.reschedule(ALL, kit.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "query must name a tenantId, type, queue, due time or filter to reschedule but was");
        assertThatThrownBy(() -> admin.reschedule(ALL.queue("default").state(TimerState.DEAD), kit.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state must be SCHEDULED to reschedule but was DEAD");
        assertThat(stored("a")).isEqualTo(waiting);
    }
}
