package dev.duetime.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DueQueryTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    @Test
    void onlyKeysLeaveOutAllOtherTimers() {
        Exclusion but = only(Set.of("a", "b"));

        assertThat(but.contains(timer("a"))).isFalse();
        assertThat(but.contains(timer("b"))).isFalse();
        assertThat(but.contains(timer("A"))).isTrue();
        assertThat(but.contains(timer("a "))).isTrue();
        assertThat(but.contains(timer(null))).isTrue();
    }

    @Test
    void whatAnotherComponentLeavesOutStaysLeftOut() {
        Set<String> a = Set.of("a");

        assertThat(new Exclusion(a, Set.of(), Set.of(), 0, a).contains(timer("a")))
                .isTrue();
        assertThat(new Exclusion(Set.of(), Set.of("mail"), Set.of(), 0, a).contains(timer("a")))
                .isTrue();
        assertThat(new Exclusion(Set.of(), Set.of(), Set.of("t"), 5, a).contains(timer("a")))
                .isTrue();
        assertThat(new Exclusion(Set.of("b"), Set.of("post"), Set.of("t"), 4, a).contains(timer("a")))
                .isFalse();
    }

    @Test
    void noOnlyKeysLeaveOutNothing() {
        assertThat(only(Set.of()).isNothing()).isTrue();
        assertThat(only(Set.of()).contains(timer(null))).isFalse();
        assertThat(only(Set.of("a")).isNothing()).isFalse();
        assertThat(new Exclusion(Set.of("a"), Set.of("t"), 0).only()).isEmpty();
        assertThat(new Exclusion(Set.of("a"), Set.of(), Set.of("t"), 0).only()).isEmpty();
        assertThat(Exclusion.NONE.only()).isEmpty();
    }

    private static Exclusion only(Set<String> keys) {
        return new Exclusion(Set.of(), Set.of(), Set.of(), 0, keys);
    }

    private static StoredTimer timer(@Nullable String parallelKey) {
        TimerContent content = new TimerContent(
                "q", NOW, null, "mail", Payload.NONE, Map.of(), 5, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of("t", "timer"), 0, content, TimerState.SCHEDULED, 1, 0, NOW, NOW, null, null, null);
    }
}
