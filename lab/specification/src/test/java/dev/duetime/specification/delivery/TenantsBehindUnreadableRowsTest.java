package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.TimerListener;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.fault.Damage;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a backlog of rows that cannot be read holds up no timer of another tenant. */
class TenantsBehindUnreadableRowsTest {
    private static final Duration A_CALL = Duration.ofMillis(10);
    private static final Duration A_ROW = Duration.ofMillis(1);

    /** A turn ends such rows for 10 ms, and one batch more. */
    private static final Duration A_TURN = Duration.ofMillis(10).plus(A_ROW.multipliedBy(TenantLateness.BATCH));

    private final InMemoryScheduleStore memory = new InMemoryScheduleStore(new TestClock());
    private final List<TenantLateness> queues = new ArrayList<>();

    /** Ending a row takes a millisecond. */
    private final TimerListener slow = new TimerListener() {
        @Override
        public void dead(DeadTimer timer) {
            queues.get(0).kit().clock().linger(A_ROW);
        }
    };

    private TenantLateness open(int concurrency) {
        TenantLateness queue = new TenantLateness(concurrency, A_CALL, new PassThroughStore(memory), slow);
        queues.add(queue);
        return queue;
    }

    private void unreadable(TenantLateness queue, String tenant, int from, int count) {
        queue.backlog(tenant, from, count);
        for (int i = 0; i < count; i++) {
            memory.damage(TimerKey.of(tenant, "t" + i), Damage.UNREADABLE_CONTENT);
        }
    }

    private long scheduled(String tenant, int count) {
        long scheduled = 0;
        for (int i = 0; i < count; i++) {
            TimerState state =
                    memory.find(TimerKey.of(tenant, "t" + i)).orElseThrow().state();
            scheduled += state == TimerState.SCHEDULED ? 1 : 0;
        }
        return scheduled;
    }

    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void timersOfOthersAreDeliveredMeanwhile(int concurrency) {
        try (TenantLateness queue = open(concurrency)) {
            unreadable(queue, "bad", 0, 10_000);
            Instant first = queue.kit().now().plusMillis(500);
            for (int i = 0; i < 100; i++) {
                queue.schedule("small" + i % 10, i, first.plusMillis(27L * i));
            }
            queue.kit().advance(Duration.ofSeconds(4));

            assertThat(scheduled("bad", 10_000)).isBetween(1L, 9_000L);
            assertThat(queue.latenessOf("small"))
                    .hasSize(100)
                    .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_TURN.plus(A_CALL)));
            queue.kit().advance(Duration.ofSeconds(20));
            assertThat(scheduled("bad", 10_000)).isZero();
        }
    }

    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void anOverdueTimerOfAnotherTenantIsFoundBehindThoseOfTwo(int concurrency) {
        try (TenantLateness queue = open(concurrency)) {
            unreadable(queue, "bad", 0, 5_000);
            unreadable(queue, "worse", 5_000, 5_000);
            queue.schedule("small", 0, queue.kit().now().minus(Duration.ofMinutes(1)));
            queue.kit().advance(Duration.ofSeconds(1));

            assertThat(scheduled("worse", 5_000)).isEqualTo(5_000);
            assertThat(queue.latenessOf("small")).hasSize(1);
        }
    }

    /** The main read is full of timers of a third tenant, and only the search meets the rows. */
    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void timersBehindThemAndBehindABacklogAreFound(int concurrency) {
        try (TenantLateness queue = open(concurrency)) {
            int place = 3_000 * concurrency;
            queue.backlog("large", 0, 2 * place);
            unreadable(queue, "bad", place, 1_000);
            Instant first = queue.kit().now().minus(Duration.ofHours(1));
            queue.schedule("bad", 1_000, first.plusMillis(place + 1_000));
            queue.schedule("small", 0, first.plusMillis(place + 1_001));
            queue.kit().advance(Duration.ofSeconds(2));

            assertThat(queue.latenessOf("large")).hasSizeLessThan(place);
            assertThat(scheduled("bad", 1_000)).isEqualTo(1_000);
            assertThat(queue.latenessOf("small")).hasSize(1);
            assertThat(queue.latenessOf("bad")).hasSize(1);
        }
    }
}
