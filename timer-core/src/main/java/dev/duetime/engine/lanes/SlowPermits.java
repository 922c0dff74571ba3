package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The permits that slow lanes leave to others while these are present: a quarter of those that this node has in a
 * concurrency limit, at least one. A node with a single permit has none to leave. Used by one thread.
 */
public final class SlowPermits {
    private final QueuePermits permits;

    /** How many timers of slow lanes have permits, by type. */
    private final Map<String, Integer> byType = new HashMap<>();

    private int all;

    public SlowPermits(QueuePermits permits) {
        this.permits = permits;
    }

    /** Begins a turn. Timers of slow lanes in these calls have permits. */
    public void begin(Collection<List<Parcel>> calls, Predicate<Parcel> isSlow) {
        byType.clear();
        all = 0;
        calls.forEach(batch -> batch.stream().filter(isSlow).forEach(each -> add(each.timer())));
    }

    /** Notes that a timer of a slow lane got permits. */
    public void add(StoredTimer timer) {
        byType.merge(timer.content().type(), 1, Integer::sum);
        all++;
    }

    /** Returns whether another timer of a slow lane leaves permits to others. */
    public boolean leavesOthers(StoredTimer timer) {
        String type = timer.content().type();
        return all < mostOf(permits.usable(null)) && byType.getOrDefault(type, 0) < mostOf(permits.usable(type));
    }

    private static int mostOf(int usable) {
        return usable < 2 ? Integer.MAX_VALUE : SlowShare.mostOf(usable);
    }
}
