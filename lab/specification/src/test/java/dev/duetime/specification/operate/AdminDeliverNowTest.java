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
import org.junit.jupiter.api.Test;

/** Tests of how an operator has scheduled timers delivered now. */
class AdminDeliverNowTest extends OperatedKit {

    @Test
    void aTimerIsDeliveredAtOnceWithANewEnvelopeId() {
        schedule("a", HOUR);
        StoredTimer waiting = stored("a");

        assertThat(admin.deliverNow(TimerKey.of("a"))).isTrue();
        kit.runDue();

        assertThat(kit.delivered("a").get(0).id()).isNotEqualTo(waiting.envelopeId());
        assertThat(kit.delivered("a").get(0).event().dueAt()).isEqualTo(kit.now());
        assertThat(stored("a").registeredAt()).isEqualTo(waiting.registeredAt());
        kit.advance(HOUR);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aRetryIsDeliveredAtOnceWithAllItsAttemptsAgain() {
        kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("a"));
        kit.scheduler()
                .schedule(Timer.after("a", Duration.ZERO).type("stubborn").build());
        schedule("good", Duration.ZERO);
        kit.runDue();
        assertThat(stored("a").attempt()).isEqualTo(1);
        kit.publisher().recover();

        assertThat(admin.deliverNow(TimerKey.of("a"))).isTrue();
        kit.runDue();

        assertThat(kit.delivered("a").get(0).attempt()).isEqualTo(1);
        assertThat(stored("a").failure()).isNotNull();
    }

    @Test
    void aTimerThatIsDueIsNotDeliveredTwice() {
        schedule("a", SECOND);
        admin.pause("default");
        kit.advance(SECOND);

        assertThat(admin.deliverNow(TimerKey.of("a"))).isFalse();
        admin.resume("default");
        kit.runDue();

        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void onlyScheduledTimersAreDelivered() {
        dead("dead");
        schedule("cancelled", HOUR);
        kit.scheduler().cancel(TimerKey.of("cancelled"));

        assertThat(admin.deliverNow(TimerKey.of("dead"))).isFalse();
        assertThat(admin.deliverNow(TimerKey.of("cancelled"))).isFalse();
        assertThat(admin.deliverNow(TimerKey.of("absent"))).isFalse();
        kit.advance(HOUR);

        assertThat(kit).hasNotDelivered("cancelled").hasNotDelivered("dead");
    }

    @Test
    void aRecurringTimerKeepsTheTimesOfItsRecurrence() {
        kit.scheduler()
                .schedule(Timer.recurring("hourly", Recurrence.every(HOUR)).build());
        StoredTimer waiting = stored("hourly");

        assertThat(admin.deliverNow(TimerKey.of("hourly"))).isFalse();
        assertThat(admin.deliverNow(ALL.queue("default"))).isZero();
        kit.runDue();

        assertThat(stored("hourly")).isEqualTo(waiting);
    }

    @Test
    void allThatMatchAreDeliveredInBatches() {
        for (String id : new String[] {"a", "b", "c", "d", "e"}) {
            kit.scheduler().schedule(Timer.after(id, HOUR).type("invoice").build());
        }
        schedule("other", HOUR);
        int before = kit.node(0).calls(StoreCall.DELIVER_NOW);

        assertThat(admin.deliverNow(ALL.type("none"))).isZero();
        assertThat(admin.deliverNow(ALL.type("invoice").limit(2))).isEqualTo(5);

        assertThat(kit.node(0).calls(StoreCall.DELIVER_NOW) - before).isEqualTo(3);
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("e").hasNotDelivered("other");
    }

    @Test
    void aLostReplyStillWakesTheLoop() {
        schedule("a", HOUR);
        kit.node(0).failAfter(StoreCall.DELIVER_NOW);

        assertThatThrownBy(() -> admin.deliverNow(TimerKey.of("a"))).isInstanceOf(StoreException.class);
        kit.runDue();

        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aQueryForEverythingOrAnotherStateIsRefused() {
        assertThatThrownBy(() -> admin.deliverNow(ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "query must name a tenantId, type, queue, due time or filter to deliver but was");
        assertThatThrownBy(() -> admin.deliverNow(ALL.queue("default").state(TimerState.DEAD)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state must be SCHEDULED to deliver but was DEAD");
    }
}
