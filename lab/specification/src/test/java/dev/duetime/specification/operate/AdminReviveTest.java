package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of how an operator schedules dead timers again. */
class AdminReviveTest extends OperatedKit {
    @Test
    void aRevivedTimerIsDeliveredAtOnceWithANewEnvelopeId() {
        dead("a");
        StoredTimer died = stored("a");

        assertThat(admin.revive(TimerKey.of("a"))).isTrue();
        kit.runDue();

        Envelope envelope = kit.delivered("a").get(0);
        assertThat(envelope.id()).isNotEqualTo(died.envelopeId());
        assertThat(envelope.attempt()).isEqualTo(1);
        assertThat(envelope.event().reachedAt()).isEqualTo(kit.now());
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void theFailuresThatEndedATimerStayOnRecord() {
        dead("a");
        StoredTimer died = stored("a");
        admin.revive(TimerKey.of("a"));
        kit.runDue();

        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("a").failure()).isNotNull().isEqualTo(died.failure());
    }

    @Test
    void aRevivedTimerHasAllItsAttemptsAgain() {
        kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("a"));
        kit.scheduler()
                .schedule(Timer.after("a", Duration.ZERO).type("stubborn").build());
        failsThrice("first");

        admin.revive(TimerKey.of("a"));

        assertThat(stored("a").attempt()).isZero();
        failsThrice("second");
    }

    /** Lets the timer fail while others get through, now and a second after each failure. */
    private void failsThrice(String time) {
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
            Duration next = attempt == 1 ? Duration.ZERO : SECOND;
            schedule(time + attempt, next);
            kit.advance(next);
            kit.runDue();
            assertThat(stored("a").attempt()).isEqualTo(attempt);
        }
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aRevivedTimerWhoseDeadlineHasPassedExpires() {
        kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("a"));
        kit.scheduler()
                .schedule(Timer.at("a", kit.now())
                        .expiresAt(kit.now().plusSeconds(60))
                        .build());
        schedule("good", Duration.ZERO);
        kit.advance(Duration.ofMinutes(2));
        kit.publisher().recover();
        assertThat(admin.revive(TimerKey.of("a"))).isTrue();
        kit.runDue();

        assertThat(stored("a").state()).isEqualTo(TimerState.EXPIRED);
        assertThat(kit).hasNotDelivered("a");
    }

    @Test
    void onlyDeadTimersAreRevived() {
        schedule("scheduled", HOUR);
        schedule("reached", SECOND);
        kit.advance(SECOND);

        assertThat(admin.revive(TimerKey.of("scheduled"))).isFalse();
        assertThat(admin.revive(TimerKey.of("reached"))).isFalse();
        assertThat(admin.revive(TimerKey.of("absent"))).isFalse();
        assertThat(admin.revive(ALL)).isZero();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("reached");
    }

    @Test
    void allThatMatchAreRevivedInBatches() {
        dead("a", "b", "c", "d", "e");
        int before = kit.node(0).calls(StoreCall.REVIVE);

        assertThat(admin.revive(ALL.type("none"))).isZero();
        assertThat(admin.revive(ALL.limit(2))).isEqualTo(5);

        assertThat(kit.node(0).calls(StoreCall.REVIVE) - before).isEqualTo(3);
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("e");
    }

    @Test
    void theBatchesBeforeAFailureStayRevivedAndARepeatRevivesTheOthers() {
        dead("a", "b", "c");
        admin.revive(ALL.limit(1).after(TimerKey.of("b")));
        kit.node(0).failAfter(StoreCall.REVIVE);

        assertThatThrownBy(() -> admin.revive(ALL.limit(1))).isInstanceOf(StoreException.class);
        assertThat(admin.revive(ALL.limit(1))).isEqualTo(1);

        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("b").hasDeliveredOnce("c");
    }

    @Test
    void anotherStateIsRefused() {
        assertThatThrownBy(() -> admin.revive(ALL.state(TimerState.REACHED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state must be DEAD to revive but was REACHED");
    }
}
