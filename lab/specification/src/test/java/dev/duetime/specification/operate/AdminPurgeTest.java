package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of how an operator deletes ended timers. */
class AdminPurgeTest extends OperatedKit {
    @Test
    void onlyOldEndedTimersArePurged() {
        dead("dead");
        schedule("scheduled", HOUR);
        schedule("cancelled", HOUR);
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        Instant ended = kit.now();

        assertThat(admin.purge(ALL.limit(1), ended)).isEqualTo(1);
        assertThat(kit.store().find(TimerKey.of("good"))).isEmpty();
        assertThat(admin.purge(ALL, ended.plusSeconds(1))).isEqualTo(1);
        assertThat(kit.store().query(ALL))
                .extracting(each -> each.key().timerId())
                .containsExactly("dead", "scheduled");
    }

    @Test
    void deadTimersArePurgedWhenAskedFor() {
        dead("a", "b");

        assertThat(admin.purge(ALL.state(TimerState.DEAD).type("none"), kit.now()))
                .isZero();
        assertThat(admin.purge(ALL.state(TimerState.DEAD), kit.now())).isEqualTo(2);
        assertThat(kit.store().query(ALL)).hasSize(1);
    }

    @Test
    void scheduledTimersAreRefused() {
        assertThatThrownBy(() -> admin.purge(ALL.state(TimerState.SCHEDULED), kit.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state must be a terminal one to purge but was SCHEDULED");
    }
}
