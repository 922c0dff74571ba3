package dev.duetime.lab.chaos.node;

import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A fault that fills the heap of its process, and keeps it full for a while. */
final class FullHeap implements Runnable {
    public static final String KIND = "heap";
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 1 << 10;
    private static final Duration BETWEEN = Duration.ofMillis(20);
    /** How long calls under way may take to end once the heap has room again. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private final Log log;
    private final String node;
    private final Duration duration;

    FullHeap(Log log, String node, Duration duration) {
        this.log = log;
        this.node = node;
        this.duration = duration;
    }

    @Override
    public void run() {
        long from = Log.now();
        long until = from + TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
        // This is logged before the heap is full.
        log.append(new Fault(from, until + TimeUnit.NANOSECONDS.toMicros(AFTERWARDS.toNanos()), KIND, node));
        List<byte[]> taken = new ArrayList<>(1 << 16);
        while (Log.now() < until) {
            fill(taken, until);
            Commands.pause(BETWEEN);
        }
    }

    private static void fill(List<byte[]> taken, long until) {
        for (int size = LARGEST; size >= SMALLEST && Log.now() < until; size /= 4) {
            try {
                while (Log.now() < until) {
                    taken.add(new byte[size]);
                }
            } catch (OutOfMemoryError e) {
                // Smaller pieces may still fit.
            }
        }
    }
}
