package dev.duetime.engine.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of which parallel keys a look asks for. */
class KeyLooksTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final DueTimers NONE = new DueTimers(List.of(), false);

    private final KeyLooks looks = new KeyLooks();

    private static StoredTimer todo(String tenant, String parallelKey) {
        TimerContent content = new TimerContent(
                "work", NOW, null, "job", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(tenant, "1"), 0, content, TimerState.SCHEDULED, 1, 0, NOW, NOW, null, null, null);
    }

    private static DueTimers full(String tenant, String parallelKey) {
        return new DueTimers(Collections.nCopies(64, todo(tenant, parallelKey)), true);
    }

    private void want(String tenant, int count) {
        IntStream.range(0, count)
                .forEach(i -> assertThat(looks.want(todo(tenant, tenant + i))).isTrue());
    }

    private Set<String> begin(boolean forLarge) {
        Exclusion others = looks.begin(forLarge, Set.of(0), Exclusion.NONE);
        return others == null ? Set.of() : others.only();
    }

    @Test
    void aKeyThatFillsALookHasLooksOfItsOwn() {
        want("large", 1);
        want("small", 1);
        assertThat(begin(false)).containsExactlyInAnyOrder("large0", "small0");
        looks.hasRead(full("large", "large0"));

        assertThat(begin(true)).containsExactly("large0");
        looks.hasRead(full("large", "large0"));
        assertThat(begin(false)).containsExactly("small0");
        looks.hasRead(NONE);
        assertThat(looks.covers(todo("small", "small0"))).isTrue();
        assertThat(looks.covers(todo("large", "large0"))).isFalse();
    }

    @Test
    void aLargeKeyIsLargeUntilALookHasFoundAll() {
        want("large", 1);
        begin(false);
        looks.hasRead(full("large", "large0"));
        assertThat(looks.areWanted()).isFalse();
        assertThat(begin(true)).isNotEmpty();
        looks.hasRead(NONE);

        want("large", 1);
        assertThat(begin(true)).isEmpty();
        assertThat(begin(false)).containsExactly("large0");
    }

    @Test
    void aFullLookIsFollowedByOneForHalfAsManyOtherKeys() {
        want("small", 12);
        Set<String> first = begin(false);
        assertThat(first).hasSize(12);
        looks.hasRead(new DueTimers(List.of(), true));
        Set<String> second = begin(false);
        assertThat(second).hasSize(6);
        looks.hasRead(new DueTimers(List.of(), true));

        assertThat(begin(false)).hasSize(3).doesNotContainAnyElementsOf(second);
        looks.hasRead(NONE);
        assertThat(begin(false)).hasSize(6);
    }

    @Test
    void tenantsTakeTurns() {
        want("many", 1_000);
        want("few", 1);

        assertThat(begin(false)).hasSize(100).contains("few0");
    }

    @Test
    void aTenantWithVeryManyKeysLeavesRoomForOthers() {
        want("many", 1_000);

        assertThat(looks.want(todo("many", "another"))).isFalse();
        assertThat(looks.want(todo("few", "few0"))).isTrue();
    }
}
