package dev.duetime.lab.microbenchmark;

import dev.duetime.internal.StableHash;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A measurement of the hash that places a key in a shard. */
public class HashBenchmark extends NanosPerCall {
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
