package dev.duetime.engine.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.looks.LookBehind.Look;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of what a look behind poison leaves out, so that no timer overtakes an earlier one of its parallel key. */
class LookBehindTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Instant LATER = NOW.plusSeconds(5);

    private final LookBehind behind = new LookBehind();

    private static StoredTimer timer(String tenant, String parallelKey, Instant dueAt) {
        TimerContent content = new TimerContent(
                "default", dueAt, null, "t", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(tenant, "id"),
                0,
                content,
                TimerState.SCHEDULED,
                1,
                0,
                dueAt,
                Instant.EPOCH,
                null,
                null,
                null);
    }

    private Look lookAfter(Set<String> leftOut, StoredTimer... poison) {
        behind.after(new DueTimers(List.of(poison), List.of(), true), leftOut, LATER, false, true);
        return Objects.requireNonNull(behind.look());
    }

    /** A call that held one of them may have ended since. */
    @Test
    void itLeavesOutTheKeysThatTheReadBeforeItHasLeftOut() {
        Look look = lookAfter(Set.of("busy"), timer("a", "poison", NOW), timer("a", "other", NOW.plusSeconds(1)));

        assertThat(look.from()).isEqualTo(NOW.plusSeconds(1));
        assertThat(look.but().parallelKeys()).containsExactlyInAnyOrder("busy", "poison", "other");
    }
}
