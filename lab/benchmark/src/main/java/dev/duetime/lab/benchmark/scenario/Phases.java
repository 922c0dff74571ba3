package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.LatenessHistogram;
import dev.duetime.lab.benchmark.contestant.LatenessHistogram.Snapshot;
import java.time.Duration;

/** The phases of a run under load. For each it measures throughput, lateness and dead rows. */
final class Phases {
    private static final double NANOS = 1e9;
    private static final long SECOND = 1_000_000_000L;
    private static final double P50 = 0.5;
    private static final double P99 = 0.99;

    /** A second after the disturbance is as good as before if it delivers this part of what was delivered before. */
    private static final double AS_GOOD = 0.85;

    /** Timers are scheduled half a second before they are due. So much of a second's load is always outstanding. */
    private static final double USUAL_OUTSTANDING_SECONDS = 1.0;

    private static final Duration MOST_RECOVERY = Duration.ofMinutes(3);

    private final Trial trial;
    private final Load load;
    private final Deliveries deliveries;
    private final LatenessHistogram histogram;

    /**
     * What one phase was like.
     *
     * @param perSecond how many timers were delivered a second
     * @param outstanding how many were scheduled and not delivered at its end
     */
    record Phase(double perSecond, long outstanding) {}

    Phases(Trial trial, Load load, Deliveries deliveries, LatenessHistogram histogram) {
        this.trial = trial;
        this.load = load;
        this.deliveries = deliveries;
        this.histogram = histogram;
    }

    /** Lets the load run for a while. */
    void warmUp(int seconds) throws Exception {
        pause(seconds);
    }

    /** Returns how many timers a second are scheduled and delivered. */
    double carried(int seconds) throws Exception {
        double carried = run(seconds).perSecond();
        trial.measured("carried_per_second", carried);
        return carried;
    }

    /** Waits until what was scheduled flat out is delivered. */
    void drain() throws Exception {
        pause(2);
    }

    Phase measure(String name, int seconds) throws Exception {
        Snapshot before = histogram.snapshot();
        Phase phase = run(seconds);
        Snapshot late = histogram.snapshot().since(before);
        trial.measured(name + "_per_second", phase.perSecond());
        trial.measured(name + "_p50_ms", late.millis(P50));
        trial.measured(name + "_p99_ms", late.millis(P99));
        trial.measured(name + "_outstanding", (double) phase.outstanding());
        trial.measured(name + "_dead_rows", trial.deadRows());
        return phase;
    }

    private Phase run(int seconds) throws Exception {
        long start = System.nanoTime();
        long count = deliveries.count();
        pause(seconds);
        double perSecond = (deliveries.count() - count) * NANOS / (System.nanoTime() - start);
        return new Phase(perSecond, load.outstanding());
    }

    /**
     * Measures the phase after a disturbance, and how many seconds it took until a second was as good as those before:
     * as many timers a second were delivered, unless fewer were scheduled, and no more were outstanding.
     */
    void measureRecovery(Phase before, int seconds) throws Exception {
        Snapshot at = histogram.snapshot();
        long start = System.nanoTime();
        long first = deliveries.count();
        double most = Math.max((double) before.outstanding(), USUAL_OUTSTANDING_SECONDS * before.perSecond());
        int recovered = -1;
        int second = 0;
        while (second < seconds || (recovered < 0 && second < MOST_RECOVERY.toSeconds())) {
            long delivered = deliveries.count();
            long scheduled = load.scheduled();
            pause(1);
            second++;
            long wanted = (long) Math.min(before.perSecond(), (double) (load.scheduled() - scheduled));
            boolean isAsGood = deliveries.count() - delivered >= AS_GOOD * wanted && load.outstanding() <= most;
            recovered = recovered < 0 && isAsGood ? second : recovered;
        }
        trial.measured("after_per_second", (deliveries.count() - first) * NANOS / (System.nanoTime() - start));
        trial.measured("after_p99_ms", histogram.snapshot().since(at).millis(P99));
        trial.measured("after_outstanding", (double) load.outstanding());
        trial.measured("after_dead_rows", trial.deadRows());
        trial.measured("recovered_after_seconds", recovered < 0 ? (double) MOST_RECOVERY.toSeconds() : recovered);
    }

    private void pause(int seconds) throws Exception {
        long end = System.nanoTime() + seconds * SECOND;
        while (System.nanoTime() - end < 0) {
            load.check();
            Thread.sleep(Math.max(1, Math.min(100, (end - System.nanoTime()) / 1_000_000)));
        }
    }
}
