package dev.duetime.lab.benchmark.scenario.call;

import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A measurement of calls, each of which is made several times in a row. Not thread-safe. */
public final class CallTimes {
    private static final double NANOS_A_MILLI = 1e6;

    private final Map<String, Call> calls;
    private final int times;

    private CallTimes(Map<String, Call> calls, int times) {
        this.calls = calls;
        this.times = times;
    }

    /**
     * Lists all calls of the port. Those that read go first, so that they find the tables as they were filled.
     *
     * @param times how often each call is made
     */
    public static CallTimes ofPort(ScheduleStore store, Instant now, int times) {
        Map<String, Call> all = new LinkedHashMap<>(OperatorCalls.all(store, now));
        all.putAll(LoopCalls.all(store, now));
        all.putAll(ChangeCalls.all(store, now));
        return new CallTimes(all, times);
    }

    /**
     * The times of one call, in milliseconds.
     *
     * @param first the first one, which makes the plan
     * @param slowest the slowest of the others
     * @param refused how many were refused, since they would be scans
     */
    public record Took(double first, double slowest, int refused) {
        /** Returns the longest time. */
        public double worst() {
            return Math.max(first, slowest);
        }
    }

    /** Makes all calls. */
    public Map<String, Took> measure() {
        Map<String, Took> all = new LinkedHashMap<>();
        calls.forEach((name, call) -> all.put(name, measure(call)));
        return all;
    }

    /**
     * Makes those calls again that took longer than a limit. What they read is in memory now, as far as it fits. So a
     * call that is still slow has a slow plan.
     */
    public Map<String, Took> measureAgain(Map<String, Took> before, double limit) {
        Map<String, Took> again = new LinkedHashMap<>();
        before.forEach((name, took) -> {
            if (took.worst() > limit) {
                again.put(name, measure(calls.getOrDefault(name, Call.of(time -> time))));
            }
        });
        return again;
    }

    private Took measure(Call call) {
        double first = 0;
        double slowest = 0;
        int refused = 0;
        for (int i = 0; i < times; i++) {
            Supplier<Object> prepared = call.prepare(i);
            long began = System.nanoTime();
            try {
                var unused = prepared.get();
            } catch (IllegalArgumentException e) {
                refused++;
            }
            double millis = (System.nanoTime() - began) / NANOS_A_MILLI;
            if (i == 0) {
                first = millis;
            } else {
                slowest = Math.max(slowest, millis);
            }
        }
        return new Took(first, slowest, refused);
    }
}
