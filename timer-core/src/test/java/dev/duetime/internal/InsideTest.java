package dev.duetime.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.internal.draft.TimerDraft;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of how our packages reach what users do not see. */
class InsideTest {
    @Test
    void aTimerOpensWhatWasSetOnIt() {
        Timer timer = Timer.after("a", Duration.ofSeconds(5)).shardingKey("s").build();
        TimerDraft draft = Inside.of(timer, TimerDraft.class);
        assertThat(draft.delay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(draft.routingKey()).isEqualTo("s");
    }

    @Test
    void aTypeThatOpenedNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Inside.of("text", TimerDraft.class))
                .withMessage("type must have opened its inside but was java.lang.String");
    }

    @Test
    void anInsideOfAnotherTypeIsRefused() {
        assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> Inside.of(Payload.NONE, TimerDraft.class));
    }
}
