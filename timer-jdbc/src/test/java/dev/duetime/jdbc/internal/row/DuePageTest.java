package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DuePageTest {

    @Test
    void aFullReadIsReturnedInFull() {
        DuePage page = page(4, 3, row(0, 1), row(1, 2), row(0, 3));

        assertThat(times(page)).containsExactly(1L, 2L, 3L);
        assertThat(page.answer(query(10, 1), rows -> rows).more()).isFalse();
        assertThat(page.isMeagre(query(10, 1))).isFalse();
    }

    @Test
    void oneMoreThanTheLimitMeansMore() {
        DuePage page = page(2, 3, row(0, 1), row(1, 2), row(1, 3));

        assertThat(times(page)).containsExactly(1L, 2L);
        assertThat(page.answer(query(10, 1), rows -> rows).more()).isTrue();
    }

    @Test
    void timersLaterThanTheEndOfACutOffShardWait() {
        // The read of shard 0 ended after the timer at 3. Its next timer may be due at 3, but not earlier.
        DuePage page = page(10, 2, row(0, 1), row(1, 2), row(0, 3), row(1, 3), row(2, 4), row(2, 5));

        assertThat(times(page)).containsExactly(1L, 2L, 3L, 3L);
        assertThat(page.answer(query(10, 1), rows -> rows).more()).isTrue();
    }

    @Test
    void aPageWithOneFullShardIsMeagre() {
        assertThat(page(10, 2, row(0, 1), row(0, 2)).isMeagre(query(10, 1))).isTrue();
        assertThat(page(4, 2, row(0, 1), row(0, 2)).isMeagre(query(4, 1))).isFalse();
    }

    @Test
    void rowsThatCannotBeReadDoNotFillAPage() {
        DuePage page = page(4, 2, row(0, 1), unreadable(1, 2), unreadable(1, 3));

        assertThat(page.isMeagre(query(4, 1))).isTrue();
        assertThat(times(page)).containsExactly(1L);
        assertThat(page.answer(query(10, 1), rows -> rows).undecodable()).hasSize(2);
        assertThat(page.answer(query(10, 1), rows -> rows).more()).isTrue();
    }

    @Test
    void rowsThatTheNodeHoldsDoNotFillAPage() {
        DuePage onlyHeld = page(5, 3, row(0, 1), row(0, 2), row(0, 3));
        DuePage withAnother = page(5, 4, row(0, 1), row(0, 2), row(0, 3), row(0, 4));

        assertThat(onlyHeld.isMeagre(holding(5, 3))).isTrue();
        assertThat(withAnother.isMeagre(holding(5, 3))).isFalse();
        assertThat(onlyHeld.isMeagre(holding(2, 3)))
                .as("more are held than are asked for")
                .isTrue();
    }

    @Test
    void theShareOfAShardHasAMarginOfThreeDeviations() {
        assertThat(DuePage.share(query(500, 64))).isEqualTo(20);
        assertThat(DuePage.share(query(500, 4))).isEqualTo(160);
        assertThat(DuePage.share(query(2000, 64))).isEqualTo(49);
        assertThat(DuePage.share(query(500, 1))).isEqualTo(501);
        assertThat(DuePage.share(query(10, 64))).isEqualTo(11);
        assertThat(DuePage.share(query(Integer.MAX_VALUE - 1, 1))).isEqualTo(Integer.MAX_VALUE);
    }

    private static DueQuery query(int limit, int shards) {
        return new DueQuery("q", IntStream.range(0, shards).boxed().toList(), Instant.EPOCH, limit);
    }

    /** Returns the query of a node that holds the first timers. */
    private static DueQuery holding(int limit, int held) {
        Map<TimerKey, Long> generations = IntStream.rangeClosed(1, held)
                .boxed()
                .collect(Collectors.toMap(second -> TimerKey.of("t" + second), Integer::longValue));
        return new DueQuery(
                "q",
                List.of(0),
                Instant.MIN,
                Instant.EPOCH,
                limit,
                DueQuery.Exclusion.NONE,
                Long.MAX_VALUE,
                generations);
    }

    private static DuePage page(int limit, int perShard, DueRow... rows) {
        return new DuePage(List.of(rows), limit, perShard);
    }

    private static DueRow row(int shard, long second) {
        Instant at = Instant.ofEpochSecond(second);
        TimerContent content =
                new TimerContent("q", at, null, "test", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        StoredTimer timer = new StoredTimer(
                TimerKey.of("t" + second),
                shard,
                content,
                TimerState.SCHEDULED,
                second,
                0,
                at,
                Instant.EPOCH,
                null,
                null,
                null);
        return new DueRow(shard, at, timer, null);
    }

    private static DueRow unreadable(int shard, long second) {
        return new DueRow(
                shard,
                Instant.ofEpochSecond(second),
                null,
                new DueTimers.Undecodable(TimerKey.of("t" + second), second, 0, "made up"));
    }

    private static List<Long> times(DuePage page) {
        return page.answer(query(10, 1), rows -> rows).timers().stream()
                .map(StoredTimer::generation)
                .toList();
    }
}
