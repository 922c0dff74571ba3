package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a page of due timers skips none: every due timer that is not on the page is at least as late as its
 * last one, and the page says that there are more.
 */
abstract class DuePagingContract extends ContractPart {
    private static final int SHARDS = 8;
    private static final List<Integer> ALL = IntStream.range(0, SHARDS).boxed().toList();

    DuePagingContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aPageHoldsNoMoreThanItsLimit() {
        stored(20, i -> i % SHARDS, i -> NOW.minusSeconds(i));

        for (int limit : new int[] {1, 2, 7, 19}) {
            assertThat(due(NOW, ALL, limit).timers()).hasSizeLessThanOrEqualTo(limit);
        }
    }

    @Test
    void moreIsNeverFalseWhileThereIsMore() {
        List<StoredTimer> all = stored(20, i -> i % SHARDS, i -> NOW.minusSeconds(i));

        for (int limit = 1; limit < 40; limit++) {
            DueTimers due = due(NOW, ALL, limit);
            assertThat(due.more() || due.timers().size() == all.size()).isTrue();
        }
    }

    @Test
    void noTimerBehindAPageIsEarlierThanItsLast() {
        // 37 shares no factor with 200: neither shards nor keys are in order of the due times.
        List<StoredTimer> all = stored(200, i -> i * 5 / 3 % SHARDS, i -> NOW.minusSeconds(i * 37 % 200));
        List<StoredTimer> oldestFirst =
                all.stream().sorted(Comparator.comparing(StoredTimer::dueAt)).toList();

        for (int limit : new int[] {1, 2, 13, 100, 199, 200, 201}) {
            List<StoredTimer> page = due(NOW, ALL, limit).timers();
            assertThat(page).isNotEmpty().isEqualTo(oldestFirst.subList(0, page.size()));
        }
    }

    @Test
    void aPageOfSkewedShardsSkipsNone() {
        List<StoredTimer> all = stored(200, i -> i < 190 ? 3 : i % SHARDS, i -> NOW.minusSeconds(200 - i));

        for (int limit : new int[] {1, 2, 13, 100, 199, 200, 201}) {
            List<StoredTimer> page = due(NOW, ALL, limit).timers();
            assertThat(page).isNotEmpty().isEqualTo(all.subList(0, page.size()));
        }
    }

    @Test
    void settlingPageByPageReachesEveryTimerOfAllShardsOnce() {
        List<StoredTimer> all = stored(2_000, i -> i % SHARDS, i -> NOW.minusMillis(i * 37 % 2_000));

        assertThat(drained(100)).containsExactlyInAnyOrderElementsOf(keys(all));
    }

    @Test
    void settlingPageByPageReachesEveryTimerOfOneShardOnce() {
        List<StoredTimer> all = stored(2_000, i -> 3, i -> NOW.minusMillis(i * 37 % 2_000));

        assertThat(drained(100)).containsExactlyInAnyOrderElementsOf(keys(all));
    }

    @Test
    void settlingPageByPageReachesEveryTimerThatIsDueAtTheSameTimeOnce() {
        List<StoredTimer> all = stored(1_500, i -> i % 3, i -> NOW);

        assertThat(drained(100)).containsExactlyInAnyOrderElementsOf(keys(all));
    }

    @Test
    void retriedTimersHideNoTimersBehindThem() {
        List<StoredTimer> all = stored(50, i -> i % SHARDS, i -> NOW.minusSeconds(50 - i));
        DueTimers first = due(NOW, ALL, 10);

        store().settle(first.timers().stream()
                .map(timer -> retried(timer, NOW.plusSeconds(30)))
                .toList());

        assertThat(drained(10))
                .containsExactlyInAnyOrderElementsOf(
                        keys(all.subList(first.timers().size(), 50)));
    }

    @Test
    void aLimitBeyondAllIsLegal() {
        List<StoredTimer> all = stored(20, i -> i % SHARDS, i -> NOW.minusSeconds(i));

        assertThat(due(NOW, ALL, 100_000).timers()).containsExactlyInAnyOrderElementsOf(all);
    }

    /**
     * Stores due timers, and beside them what must never be read: of another queue, of another shard, one tick later.
     */
    private List<StoredTimer> stored(int count, IntUnaryOperator shard, IntFunction<Instant> dueAt) {
        List<NewTimer> timers = IntStream.range(0, count)
                .mapToObj(i -> timer("due " + i).shard(shard.applyAsInt(i)).dueAt(dueAt.apply(i)))
                .map(TimerDraft::build)
                .toList();
        store().schedule(timers);
        Instant longAgo = NOW.minus(Duration.ofDays(1));
        given(timer("of other queue").queue(otherQueue).dueAt(longAgo));
        given(timer("of other shard").shard(SHARDS).dueAt(longAgo));
        given(timer("later").dueAt(NOW.plus(TICK)));
        given(timer("reached").dueAt(longAgo), TimerState.REACHED);
        return timers.stream().map(ContractPart::accepted).toList();
    }

    private List<TimerKey> drained(int limit) {
        List<TimerKey> drained = new ArrayList<>();
        Instant last = Instant.MIN;
        DueTimers page;
        do {
            page = due(NOW, ALL, limit);
            assertThat(page.timers()).hasSizeLessThanOrEqualTo(limit);
            assertThat(page.more() && page.timers().isEmpty()).isFalse();
            for (StoredTimer timer : page.timers()) {
                assertThat(timer.wakeAt()).isAfterOrEqualTo(last);
                last = timer.wakeAt() == null ? last : timer.wakeAt();
            }
            List<Settlement> reached = page.timers().stream()
                    .map(timer -> ended(timer, TimerState.REACHED))
                    .toList();
            assertThat(store().settle(reached)).isEqualTo(reached.size());
            drained.addAll(keys(page.timers()));
        } while (page.more());
        assertThat(new HashSet<>(drained)).hasSameSizeAs(drained);
        return drained;
    }

    private static List<TimerKey> keys(List<StoredTimer> timers) {
        return timers.stream().map(StoredTimer::key).toList();
    }
}
