package dev.duetime.examples.microbenchmark;

import dev.duetime.StableHash;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the hash that places a key in a shard. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HashBenchmark {
    /** The length of the timer's id: a short one, a UUID, the longest. */
    @Param({"8", "36", "255"})
    public int length;

    private String timerId = "";

    @Setup
    public void fill() {
        timerId = "x".repeat(length);
    }

    @Benchmark
    public long hash() {
        return StableHash.of("acme", timerId);
    }
}
