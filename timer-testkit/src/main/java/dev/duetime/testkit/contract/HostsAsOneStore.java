package dev.duetime.testkit.contract;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.QueuePause;
import dev.duetime.hosts.HostSet;
import dev.duetime.internal.Inside;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A host set as one store, so that the contract can test it. It adds to the set what a scheduler does on each host by
 * itself: it merges what is due, and keeps the leases on the first host. For tests only. Thread-safe.
 */
@Beta
public final class HostsAsOneStore implements ScheduleStore {
    private static final Comparator<StoredTimer> OLDEST_FIRST = Comparator.comparing(HostsAsOneStore::wakeAt);

    private final HostSet set;
    private final Hosts hosts;

    /** Creates it. */
    public HostsAsOneStore(HostSet set) {
        this.set = set;
        hosts = Inside.of(set, Hosts.class);
    }

    private ScheduleStore store(String host) {
        return Objects.requireNonNull(hosts.stores().get(host));
    }

    private <T> List<T> each(Function<ScheduleStore, T> ask) {
        return hosts.stores().entrySet().stream()
                .map(each -> hosts.call(each.getKey(), () -> ask.apply(each.getValue())))
                .toList();
    }

    @Override
    public TimerWrites in(Transaction transaction) {
        return set.in(transaction);
    }

    @Override
    public OwnTransaction begin() {
        return set.begin();
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return set.schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return set.scheduleEach(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return set.cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return set.find(key);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return set.settle(settlements);
    }

    @Override
    public Correlated correlated() {
        return set.correlated();
    }

    @Override
    public ListStore todos() {
        return set.todos();
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return set.query(query);
    }

    @Override
    public StoreAdmin admin() {
        return set.admin();
    }

    @Override
    public DueTimers due(DueQuery query) {
        return merge(each(store -> store.due(query)), query.limit());
    }

    private static Instant wakeAt(StoredTimer timer) {
        return Objects.requireNonNull(timer.wakeAt());
    }

    /** Merges what is due, up to where the first host stops that has more. */
    private static DueTimers merge(List<DueTimers> answers, int limit) {
        Instant known = Instant.MAX;
        List<StoredTimer> timers = new ArrayList<>();
        List<DueTimers.Undecodable> undecodable = new ArrayList<>();
        for (DueTimers answer : answers) {
            timers.addAll(answer.timers());
            undecodable.addAll(answer.undecodable());
            if (answer.more() && !answer.timers().isEmpty()) {
                Instant last = wakeAt(answer.timers().get(answer.timers().size() - 1));
                known = last.isBefore(known) ? last : known;
            }
        }
        Instant until = known;
        List<StoredTimer> page = timers.stream()
                .sorted(OLDEST_FIRST)
                .filter(timer -> !wakeAt(timer).isAfter(until))
                .limit(Math.max(0, limit - undecodable.size()))
                .toList();
        List<DueTimers.Undecodable> shown = undecodable.subList(0, Math.min(limit, undecodable.size()));
        boolean more = page.size() < timers.size()
                || shown.size() < undecodable.size()
                || answers.stream().anyMatch(DueTimers::more);
        return new DueTimers(page, List.copyOf(shown), more);
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return earliest(each(store -> store.nextDue(queue, shards, after)));
    }

    private static NextDue earliest(List<NextDue> answers) {
        Instant wakeAt = answers.stream()
                .map(NextDue::wakeAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        QueuePause pause = answers.stream()
                .map(NextDue::pause)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return new NextDue(wakeAt, pause);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return each(store -> store.start(key, generation, now)).contains(true);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        int purged = 0;
        for (ScheduleStore store : hosts.stores().values()) {
            purged += purged == limit ? 0 : store.purge(queue, before, limit - purged);
        }
        return purged;
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return sum(each(store -> store.pending(queue, shards, atMost)), atMost);
    }

    private static Map<Integer, Integer> sum(List<Map<Integer, Integer>> answers, int atMost) {
        Map<Integer, Integer> sums = new TreeMap<>();
        answers.forEach(answer -> answer.forEach(
                (shard, count) -> sums.merge(shard, count, (one, other) -> Math.min(atMost, one + other))));
        return sums;
    }

    /** Returns leases of the shards on all hosts, kept on the first one. */
    @Override
    public ShardLeases leases() {
        return new FirstLeases();
    }

    private final class FirstLeases implements ShardLeases {
        private final String first = hosts.stores().firstKey();

        private ShardLeases leases() {
            return store(first).leases();
        }

        @Override
        public Instant now() {
            return hosts.call(first, () -> leases().now());
        }

        @Override
        public int open(String queue, OptionalInt shards) {
            String oldest = hosts.oldestFirst().get(0);
            int count = hosts.call(oldest, () -> store(oldest).leases().open(queue, shards));
            hosts.stores()
                    .forEach((host, store) -> checkShards(
                            queue,
                            host,
                            hosts.call(host, () -> store.leases().open(queue, OptionalInt.of(count))),
                            count));
            return count;
        }

        private void checkShards(String queue, String host, int has, int count) {
            if (has != count) {
                throw new IllegalStateException(
                        "queue %s must have as many shards on all hosts but has %d on %s and %d on %s"
                                .formatted(queue, count, hosts.oldestFirst().get(0), has, host));
            }
        }

        @Override
        public ShardMap view(String queue) {
            return hosts.call(first, () -> leases().view(queue));
        }

        @Override
        public Set<String> free() {
            return hosts.call(first, () -> leases().free());
        }

        @Override
        public Set<Integer> acquire(String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
            return hosts.call(first, () -> leases().acquire(queue, shards, node, now, until));
        }

        @Override
        public int renew(String node, Instant until) {
            return hosts.call(first, () -> leases().renew(node, until));
        }

        @Override
        public void release(String queue, Collection<Integer> shards, String node) {
            hosts.call(first, () -> {
                leases().release(queue, shards, node);
                return first;
            });
        }

        @Override
        public void letGo() {
            leases().letGo();
        }
    }
}
