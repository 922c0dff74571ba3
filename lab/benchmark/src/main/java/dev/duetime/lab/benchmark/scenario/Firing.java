package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import java.time.Duration;
import java.util.List;

/** A measured run in which nodes deliver what is due. */
final class Firing {
    private static final double NANOS = 1e9;
    private static final Duration BEGINNING = Duration.ofMinutes(1);
    private static final Duration SETTLING = Duration.ofMinutes(2);

    private Firing() {}

    /**
     * Returns how many timers a second were delivered and settled. The time begins with the first delivery, so a
     * polling interval before it does not count.
     *
     * @param count how many timers are due
     * @param limit how long after the first delivery to stop; then the deliveries until then count
     */
    static double perSecond(List<Contestant> nodes, Deliveries deliveries, int count, Duration limit) throws Exception {
        for (Contestant node : nodes) {
            node.start();
        }
        return perSecond(deliveries, nodes, count, limit);
    }

    /** Returns the same for nodes that are already started. */
    static double perSecond(Deliveries deliveries, List<Contestant> nodes, int count, Duration limit) throws Exception {
        if (!deliveries.await(1, BEGINNING)) {
            throw new IllegalStateException("nothing was delivered in " + BEGINNING);
        }
        boolean all = deliveries.await(count, limit);
        if (all) {
            awaitSettled(nodes);
        }
        long delivered = Math.min(count, deliveries.count());
        return delivered * NANOS / (System.nanoTime() - deliveries.firstNanos());
    }

    private static void awaitSettled(List<Contestant> nodes) throws Exception {
        long end = System.nanoTime() + SETTLING.toNanos();
        for (Contestant node : nodes) {
            while (!node.isSettled()) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("not settled after " + SETTLING);
                }
                Thread.sleep(1);
            }
        }
    }
}
