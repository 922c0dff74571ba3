package dev.duetime.lab.microbenchmark;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** A measurement of what it costs, for each timer, to know which timers are in delivery. */
public class InFlightBenchmark extends NanosPerCall {
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
                "default", due, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
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

    /** Leaves timers in delivery out of a batch; there are none. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public List<StoredTimer> others() {
        return inFlight.others(timers);
    }
}
