package dev.duetime.engine.report;

import dev.duetime.admin.NodeSample;
import dev.duetime.internal.LatenessScale;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** What this node delivered of one queue in the last 15 minutes, in memory. Thread-safe. */
public final class DeliveryRing {
    private static final int LATENESS_SLOTS = 20;

    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final int[] delivered = new int[NodeSample.SLOTS];
    private final int[][] lateness = new int[LATENESS_SLOTS][LatenessScale.STEPS];
    /** The latest slot that was counted. The ring begins empty. */
    private long last = Long.MIN_VALUE;

    /** Counts a timer that was delivered. */
    public void delivered(Instant dueAt, Instant now) {
        int step = LatenessScale.step(Duration.between(dueAt, now));
        lock.lock();
        try {
            long slot = advance(now);
            delivered[Math.floorMod(slot, NodeSample.SLOTS)]++;
            lateness[Math.floorMod(slot, LATENESS_SLOTS)][step]++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Empties the slots between the last one and now. If the clock was set back, the last slot goes on; if by more than
     * the ring holds, the ring begins again.
     */
    private long advance(Instant now) {
        long slot = Math.floorDiv(now.getEpochSecond(), NodeSample.SLOT.toSeconds());
        if (last == Long.MIN_VALUE) {
            last = slot;
        } else if (slot < last - NodeSample.SLOTS) {
            last = slot - NodeSample.SLOTS;
        }
        for (long each = Math.max(last + 1, slot - NodeSample.SLOTS + 1); each <= slot; each++) {
            delivered[Math.floorMod(each, NodeSample.SLOTS)] = 0;
            Arrays.fill(lateness[Math.floorMod(each, LATENESS_SLOTS)], 0);
        }
        last = Math.max(last, slot);
        return last;
    }

    /** Returns what was counted. */
    public NodeSample sample(String queue, String nodeId, int inDelivery, Instant now) {
        lock.lock();
        try {
            long slot = advance(now);
            List<Integer> counts = IntStream.rangeClosed(1, NodeSample.SLOTS)
                    .mapToObj(i -> delivered[Math.floorMod(slot + i, NodeSample.SLOTS)])
                    .toList();
            List<Integer> late = IntStream.range(0, LatenessScale.STEPS)
                    .mapToObj(step ->
                            Arrays.stream(lateness).mapToInt(each -> each[step]).sum())
                    .toList();
            return new NodeSample(queue, nodeId, now, inDelivery, counts, late);
        } finally {
            lock.unlock();
        }
    }
}
