package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PayloadCodec;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that payloads and headers in memory are bounded by their bytes: those in concurrent calls, and those of
 * todos.
 */
class HeavyPayloadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MEBIBYTE = 1024 * 1024;

    /** As much as eight reads. */
    private static final int MOST_IN_CALLS = 64;

    /** As much as four reads. */
    private static final int MOST_IN_BUFFER = 32;

    private final Store store = new Store();

    /** All payloads are the same large array, so that the test itself needs no memory. */
    private static final class LargeCodec implements PayloadCodec {
        private final byte[] large = ("\"" + "x".repeat(1_000_000) + "\"").getBytes(StandardCharsets.UTF_8);

        @Override
        public byte[] encode(Object payload) {
            return large;
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return type.cast("large");
        }
    }

    /**
     * Notes how much the largest read may return: for todos, that includes what the buffer holds. Also how many todos
     * the buffer holds after a read.
     */
    private static final class Store extends PassThroughStore {
        private long mostBytes;
        private int mostHeld;

        Store() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            mostBytes = Math.max(mostBytes, query.bytes());
            DueTimers read = super.due(query);
            Set<TimerKey> held = new HashSet<>(query.held().keySet());
            read.timers().forEach(each -> held.add(each.key()));
            mostHeld = Math.max(mostHeld, held.size());
            return read;
        }
    }

    private static final class Calls {
        private long bytes;
        private long mostBytes;
        private int running;
        private int mostRunning;

        void begin(List<Envelope> batch) {
            bytes += bytes(batch);
            mostBytes = Math.max(mostBytes, bytes);
            mostRunning = Math.max(mostRunning, ++running);
        }

        void end(List<Envelope> batch) {
            bytes -= bytes(batch);
            running--;
        }

        private static long bytes(List<Envelope> batch) {
            return batch.stream()
                    .mapToLong(each -> each.event().payload().size()
                            + each.headers().values().stream()
                                    .mapToInt(String::length)
                                    .sum())
                    .sum();
        }
    }

    /** The most and longest headers that a timer may have. All have one value, so that the test needs no memory. */
    private static Map<String, String> largestHeaders() {
        String value = "x".repeat(4096);
        return IntStream.range(0, 64).boxed().collect(Collectors.toMap(i -> "h" + i, i -> value));
    }

    private static TimerKit.Builder kit(InMemoryScheduleStore memory) {
        return TimerKit.builder().store(memory).configure(scheduler -> scheduler.codec(new LargeCodec()));
    }

    @Test
    void manyCallsAtOnceHoldNoMorePayloadsThanEightReads() {
        Calls calls = new Calls();
        TimerKit[] kit = new TimerKit[1];
        kit[0] = kit(new InMemoryScheduleStore(new TestClock()))
                .configure(scheduler -> scheduler.concurrency(100).publisher(batch -> {
                    calls.begin(batch);
                    kit[0].clock().linger(SECOND);
                    calls.end(batch);
                }))
                .build();
        Instant due = kit[0].now().plus(SECOND);
        kit[0].scheduler()
                .scheduleAll(IntStream.range(0, 150)
                        .mapToObj(i -> Timer.at("t" + i, due).payload("large").build())
                        .toList());

        kit[0].advance(Duration.ofMinutes(2));

        assertThat(calls.mostBytes / MEBIBYTE).isLessThanOrEqualTo(MOST_IN_CALLS + 1);
        assertThat(calls.mostRunning).isBetween(MOST_IN_CALLS, 100);
        assertThat(kit[0].store()
                        .query(TimerQuery.all().state(TimerState.REACHED).limit(1_000)))
                .hasSize(150);
    }

    @Test
    void manyCallsAtOnceHoldNoMoreHeadersThanEightReads() {
        Calls calls = new Calls();
        TimerKit[] kit = new TimerKit[1];
        kit[0] = kit(new InMemoryScheduleStore(new TestClock()))
                .configure(scheduler -> scheduler.concurrency(100).publisher(batch -> {
                    calls.begin(batch);
                    kit[0].clock().linger(SECOND);
                    calls.end(batch);
                }))
                .build();
        Instant due = kit[0].now().plus(SECOND);
        kit[0].scheduler()
                .scheduleAll(IntStream.range(0, 600)
                        .mapToObj(i -> {
                            Timer.Builder timer = Timer.at("t" + i, due);
                            largestHeaders().forEach(timer::header);
                            return timer.build();
                        })
                        .toList());

        kit[0].advance(Duration.ofMinutes(2));

        assertThat(calls.mostBytes / MEBIBYTE).isLessThanOrEqualTo(MOST_IN_CALLS + 1);
        assertThat(kit[0].store()
                        .query(TimerQuery.all().state(TimerState.REACHED).limit(1_000)))
                .hasSize(600);
    }

    @Test
    void aBufferThatIsFullOfHeadersReadsNoMoreBehindItsBacklog() {
        TimerKit[] kit = new TimerKit[1];
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    kit[0].clock().linger(SECOND.multipliedBy(2));
                    return Outcome.complete();
                })
                .workers(1)
                .build();
        Map<String, String> headers = largestHeaders();
        kit[0] = TimerKit.builder()
                .store(store)
                .configure(scheduler ->
                        scheduler.propagation(all -> all.putAll(headers)).todoQueue(queue))
                .build();
        queue.enqueueAll(IntStream.range(0, 400)
                .mapToObj(i -> NewTodo.of("job", "small").key(queue.key("tenant-" + i, "t" + i)))
                .toList());

        kit[0].advance(SECOND.multipliedBy(1_000));

        assertThat(store.mostHeld).isLessThanOrEqualTo(4 * MOST_IN_BUFFER + 1);
        assertThat(store.query(TimerQuery.all().state(TimerState.REACHED).limit(1_000)))
                .hasSize(400);
    }

    @Test
    void aBufferThatIsFullOfPayloadsReadsNoMoreBehindItsBacklog() {
        TimerKit[] kit = new TimerKit[1];
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    kit[0].clock().linger(SECOND.multipliedBy(2));
                    return Outcome.complete();
                })
                .workers(1)
                .build();
        kit[0] = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.codec(new LargeCodec()).todoQueue(queue))
                .build();
        queue.enqueueAll(IntStream.range(0, 200)
                .mapToObj(i -> NewTodo.of("job", "large").key(queue.key("tenant-" + i, "t" + i)))
                .toList());

        kit[0].advance(SECOND.multipliedBy(500));

        assertThat(store.mostBytes / MEBIBYTE).isLessThanOrEqualTo(MOST_IN_BUFFER);
        assertThat(store.query(TimerQuery.all().state(TimerState.REACHED).limit(1_000)))
                .hasSize(200);
    }
}
