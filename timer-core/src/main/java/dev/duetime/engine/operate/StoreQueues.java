package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.LimitUse;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.QueueOverview.Node;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.shards.LiveNodes;
import dev.duetime.internal.Times;
import dev.duetime.store.NextDue;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The operations on the queues of one store: pause, resume and show. Thread-safe. */
public final class StoreQueues implements QueueOperations {
    private static final Duration WATCHED_FOR = Duration.ofSeconds(30);

    private final ScheduleStore store;
    private final Clock clock;
    private final String nodeId;
    private final PauseReceiver receiver;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private Instant watchedUntil = Instant.MIN;

    /** A receiver of the pauses and resumes that were made on this node. */
    @FunctionalInterface
    public interface PauseReceiver {
        /** Notes that a queue is paused, or resumed if the pause is null. */
        void paused(String queue, @Nullable QueuePause pause);
    }

    public StoreQueues(ScheduleStore store, Clock clock, String nodeId, PauseReceiver receiver) {
        this.store = store;
        this.clock = clock;
        this.nodeId = nodeId;
        this.receiver = receiver;
    }

    @Override
    public boolean pause(String queue, @Nullable String operator, @Nullable String reason) {
        QueuePause pause = new QueuePause(clock.now(), nodeId, operator, reason);
        boolean changed = change(queue, () -> store.admin().pause(queue, pause));
        receiver.paused(queue, changed ? pause : stored(queue));
        return changed;
    }

    @Override
    public boolean resume(String queue) {
        boolean changed = change(queue, () -> store.admin().resume(queue));
        receiver.paused(queue, null);
        return changed;
    }

    /** Makes a change. If its reply was lost, this node does what is stored. */
    private boolean change(String queue, BooleanSupplier change) {
        try {
            return change.getAsBoolean();
        } catch (StoreException e) {
            try {
                receiver.paused(queue, stored(queue));
            } catch (StoreException again) {
                e.addSuppressed(again); // The next poll of the queue asks.
            }
            throw e;
        }
    }

    private @Nullable QueuePause stored(String queue) {
        return store.nextDue(queue, List.of(), Instant.MIN).pause();
    }

    @Override
    public List<NodeSample> samples() {
        watch(clock.now());
        return store.admin().samples();
    }

    /** Many pages cost one hint each fifteen seconds. */
    private void watch(Instant now) {
        Instant until = now.plus(WATCHED_FOR);
        lock.lock();
        try {
            if (watchedUntil.isAfter(now.plus(WATCHED_FOR.dividedBy(2)))) {
                return;
            }
            watchedUntil = until;
        } finally {
            lock.unlock();
        }
        store.wakeUps().send(List.of(new WakeUp(WakeUps.WATCHED, Set.of(), until)));
    }

    @Override
    public List<LimitUse> limits() {
        Instant now = clock.now();
        return store.permits().ledgers().stream()
                .map(each -> new LimitUse(
                        each.limit().queue(),
                        each.limit().name(),
                        each.shares().stream()
                                .filter(share -> share.until().isAfter(now))
                                .map(StoreQueues::share)
                                .sorted(Comparator.comparing(LimitUse.Share::nodeId))
                                .toList()))
                .sorted(Comparator.comparing(LimitUse::queue).thenComparing(LimitUse::name))
                .toList();
    }

    private static LimitUse.Share share(Permits.Share share) {
        return new LimitUse.Share(
                share.node(),
                share.units(),
                share.demand(),
                share.total(),
                Duration.ofNanos(share.spacing()),
                share.until());
    }

    @Override
    public List<QueueOverview> overview(Set<String> queues) {
        return queues.stream().sorted().map(this::overview).toList();
    }

    private QueueOverview overview(String queue) {
        ShardMap map = store.leases().view(queue);
        List<Integer> all = map.leases().stream().map(Lease::shard).toList();
        NextDue next = store.nextDue(queue, all, Instant.MIN);
        Instant now = clock.now();
        Map<String, Set<Integer>> shards = new TreeMap<>();
        Map<String, Instant> aliveUntil = new TreeMap<>(map.announced());
        for (Lease lease : map.leases()) {
            String owner = lease.owner();
            Instant until = lease.until();
            if (owner != null && until != null) {
                shards.computeIfAbsent(owner, name -> new TreeSet<>()).add(lease.shard());
                aliveUntil.merge(owner, until, Times::later);
            }
        }
        List<Node> nodes = new ArrayList<>();
        aliveUntil.forEach((node, until) -> {
            Set<Integer> owned = shards.getOrDefault(node, Set.of());
            boolean alive = LiveNodes.isAlive(until, now);
            // Announcements are kept for a long time after their node has left.
            if (alive || !owned.isEmpty()) {
                nodes.add(new Node(node, owned, until, alive));
            }
        });
        Instant oldest = next.wakeAt() == null || next.wakeAt().isAfter(now) ? null : next.wakeAt();
        return new QueueOverview(queue, all.size(), nodes, oldest, next.pause());
    }
}
