package dev.duetime.engine.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of what looks at the present know: of which tenants all that is due was read, and where the next one begins. */
class PresentLooksTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final PresentLooks looks = new PresentLooks(Duration.ofSeconds(5));

    private static StoredTimer todo(String tenant, String parallelKey) {
        TimerContent content = new TimerContent(
                "work", NOW, null, "job", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(tenant, "1"), 0, content, TimerState.SCHEDULED, 1, 0, NOW, NOW, null, null, null);
    }

    /** The last hint of a todo whose commit nothing tells of comes 8 s after its start date. */
    @Test
    void hintsOfUncommittedTodosUncoverNobody() {
        looks.hasReadAll(Exclusion.NONE, NOW);
        looks.announced(NOW.minusMillis(8_192));

        assertThat(looks.covers(todo("small", "key"))).isTrue();
        assertThat(looks.from()).isEqualTo(NOW.minusMillis(8_192));
    }

    @Test
    void aTodoThatWasDueLongAgoUncoversAll() {
        looks.hasReadAll(Exclusion.NONE, NOW);
        looks.announced(NOW.minusSeconds(11));

        assertThat(looks.covers(todo("small", "key"))).isFalse();
        assertThat(looks.from()).isAfterOrEqualTo(NOW.minusSeconds(1));
    }

    @Test
    void aReadOfAllButSomeKeysCoversTheOthers() {
        looks.leavesMore(NOW.minusSeconds(60));
        looks.hasReadAll(new Exclusion(Set.of("full"), Set.of(), Integer.MAX_VALUE), NOW);

        assertThat(looks.covers(todo("small", "key"))).isTrue();
        assertThat(looks.covers(todo("small", "full"))).isFalse();
        assertThat(looks.from()).isAfterOrEqualTo(NOW.minusSeconds(1));
    }

    @Test
    void aKeyThatWasFoundBehindAGapStaysUncoveredUntilItWasLookedFor() {
        StoredTimer todo = todo("small", "key");
        looks.hasReadAll(Exclusion.NONE, NOW.minusSeconds(60));
        looks.hasRead(new DueTimers(List.of(todo), true), NOW.plusSeconds(2));
        assertThat(looks.covers(todo)).isFalse();

        assertThat(looks.want(todo)).isTrue();
        looks.hasReadGap(new DueTimers(List.of(), false));
        assertThat(looks.covers(todo)).isFalse();
        assertThat(looks.covers(todo("small", "other"))).isTrue();

        assertThat(looks.keys().begin(false, Set.of(0), Exclusion.NONE)).isNotNull();
        looks.keys().hasRead(new DueTimers(List.of(), false));
        assertThat(looks.covers(todo)).isTrue();
    }

    @Test
    void whatWasDueBeforeShardsCameIsLookedForAsWell() {
        looks.hasReadAll(Exclusion.NONE, NOW.minusSeconds(60));
        looks.hasRead(new DueTimers(List.of(), false), NOW);
        assertThat(looks.covers(todo("small", "key"))).isTrue();

        looks.shardsCame();
        assertThat(looks.gap().from()).isBeforeOrEqualTo(NOW.minusSeconds(30));
        assertThat(looks.gap().to()).isEqualTo(looks.from());
        assertThat(looks.covers(todo("small", "key"))).isFalse();

        looks.hasReadAllBut(Exclusion.NONE, NOW);
        assertThat(looks.covers(todo("small", "key"))).isTrue();
    }

    @Test
    void aLookThatLeavesOutATypeUncoversAll() {
        looks.hasReadAll(Exclusion.NONE, NOW);
        looks.leavesOut(new Exclusion(Set.of(), Set.of("limited"), Set.of(), 0));

        assertThat(looks.covers(todo("small", "key"))).isFalse();
    }

    /** While urgent todos wait in memory, looks leave out those of the same tenant. */
    @Test
    void urgentTodosThatWereLeftOutMayWaitBehindTheBacklog() {
        Set<String> atFront = Set.of("large");
        looks.hasReadAllBut(new Exclusion(Set.of(), atFront, 0), NOW);
        assertThat(looks.coversAllBut(atFront, 0)).isTrue();

        looks.leavesOut(new Exclusion(Set.of(), atFront, 1));
        assertThat(looks.coversAllBut(atFront, 0)).isFalse();
        assertThat(looks.coversAllBut(atFront, 1)).isTrue();

        looks.hasReadAllBut(new Exclusion(Set.of(), atFront, 0), NOW);
        assertThat(looks.coversAllBut(atFront, 0)).isTrue();
    }
}
