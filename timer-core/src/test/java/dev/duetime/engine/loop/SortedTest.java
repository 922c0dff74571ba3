package dev.duetime.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that timers of a tenant that mostly expires stay, and so do those that must not overtake one of them. */
class SortedTest {
    private static StoredTimer timer(String tenant, String id, int second, @Nullable String parallelKey) {
        Instant dueAt = Instant.EPOCH.plusSeconds(second);
        TimerContent content = new TimerContent(
                "default", dueAt, null, "timer", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(tenant, id), 0, content, TimerState.SCHEDULED, 1, 0, dueAt, dueAt, null, null, null);
    }

    @Test
    void noTimerOvertakesOneOfItsParallelKeyThatStays() {
        StoredTimer earlier = timer("small", "earlier", 1, "key");
        StoredTimer stays = timer("large", "stays", 2, "key");
        StoredTimer later = timer("small", "later", 3, "key");
        StoredTimer other = timer("small", "other", 4, "other");
        StoredTimer free = timer("small", "free", 5, null);
        List<Settlement> over = Stream.of("a", "b", "c", "d", "e", "f")
                .<Settlement>map(id -> new Settlement.Deleted(TimerKey.of("large", id), 1))
                .toList();
        List<StoredTimer> open = new ArrayList<>(List.of(earlier, stays, later, other, free));
        DueTimers read = new DueTimers(List.copyOf(open), true);
        Sorted sorted = new Sorted(read, read, Instant.EPOCH.plusSeconds(9), over, open, open.size(), true);

        assertThat(sorted.isMostlyOver()).isTrue();
        assertThat(sorted.takeMostlyOver()).containsExactly(stays, later);
        assertThat(open).containsExactly(earlier, other, free);
    }
}
