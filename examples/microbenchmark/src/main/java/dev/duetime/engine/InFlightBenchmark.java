package dev.duetime.engine;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures, per timer, what it costs to know which timers are in delivery. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InFlightBenchmark {
    private static final int BATCH = 4_000;

    private final InFlight inFlight = new InFlight();
    private final List<StoredTimer> timers =
            IntStream.range(0, BATCH).mapToObj(InFlightBenchmark::timer).toList();
    private final List<Settlement> outcomes = timers.stream()
            .<Settlement>map(each -> new Settlement.Deleted(each.key(), each.generation()))
            .toList();

    private static StoredTimer timer(int number) {
        Instant due = Instant.parse("2026-01-01T00:00:00Z").plusMillis(number);
        TimerKey key = TimerKey.of("acme", new UUID(number, number).toString());
        TimerContent content = new TimerContent(
                "default", due, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null);
        return new StoredTimer(key, 0, content, TimerState.SCHEDULED, number, 0, due, due, null, null, null);
    }

    /** Takes a batch into delivery and out of it. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public List<StoredTimer> beginAndSettle() {
        inFlight.beginRead();
        List<StoredTimer> begun = inFlight.begin(timers);
        inFlight.settled(outcomes);
        return begun;
    }

    /** Leaves out of a batch what is in delivery: nothing. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public List<StoredTimer> others() {
        return inFlight.others(timers);
    }
}
