package dev.duetime.hosts;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.StableHash;
import dev.duetime.internal.inside.HostsWrite;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The writes on all hosts, in transactions of their own or in one for each host. As thread-safe as the writes that it
 * uses.
 */
final class HostWrites implements TimerWrites {
    private static final int ATTEMPTS = 10;

    private final HostStores hosts;
    private final Function<String, TimerWrites> on;
    private final boolean alone;

    /**
     * Creates the writes.
     *
     * @param on returns what writes on a host
     * @param alone whether each call commits by itself
     */
    HostWrites(HostStores hosts, Function<String, TimerWrites> on, boolean alone) {
        this.hosts = hosts;
        this.on = on;
        this.alone = alone;
    }

    TimerWrites on(String host) {
        return on.apply(host);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        SortedMap<String, List<Integer>> places = hosts.places().of(timers, on);
        ScheduleResult[] results = new ScheduleResult[timers.size()];
        if (alone && places.size() > 1) {
            Together write = new Together(timers, places);
            hosts.write(places.keySet(), write)
                    .forEach((host, answers) -> put(results, places.getOrDefault(host, List.of()), answers));
        } else {
            places.forEach((host, indexes) ->
                    put(results, indexes, hosts.call(host, () -> on.apply(host).schedule(part(timers, indexes)))));
        }
        return List.of(results);
    }

    /** Schedules timers that need not be stored together. */
    List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        ScheduleResult[] results = new ScheduleResult[timers.size()];
        hosts.places()
                .of(timers, on)
                .forEach((host, indexes) -> put(
                        results,
                        indexes,
                        hosts.call(host, () -> hosts.store(host).scheduleEach(part(timers, indexes)))));
        return List.of(results);
    }

    private static List<NewTimer> part(List<NewTimer> timers, List<Integer> indexes) {
        return indexes.stream().map(timers::get).toList();
    }

    private static void put(ScheduleResult[] results, List<Integer> indexes, List<ScheduleResult> answers) {
        for (int i = 0; i < answers.size(); i++) {
            results[indexes.get(i)] = answers.get(i);
        }
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return ask(
                key,
                writes -> writes.cancel(key, now, inDelivery),
                result -> result != CancelResult.NOT_FOUND,
                CancelResult.NOT_FOUND);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return ask(key, writes -> writes.find(key), Optional::isPresent, Optional.empty());
    }

    /** Asks one host after the other. The answer "nowhere" needs the replies of all hosts. */
    private <R> R ask(TimerKey key, Function<TimerWrites, R> question, Predicate<R> known, R nowhere) {
        @Nullable StoreException away = null;
        for (String host : hosts.ranking().all(HostRanking.hash(key))) {
            try {
                R answer = hosts.call(host, () -> question.apply(on.apply(host)));
                if (known.test(answer)) {
                    return answer;
                }
            } catch (StoreException e) {
                if (!alone) {
                    throw e;
                }
                away = away == null ? e : away;
            }
        }
        if (away != null) {
            throw away;
        }
        return nowhere;
    }

    /** Settles on each host: a generation is never used twice, so each outcome matches on one host at most. */
    @Override
    public int settle(List<Settlement> settlements) {
        int settled = 0;
        for (String host : hosts.names()) {
            settled += hosts.call(host, () -> on.apply(host).settle(settlements));
        }
        return settled;
    }

    @Override
    public ListStore todos() {
        return new HostTodos(hosts, host -> on.apply(host).todos(), UnaryOperator.identity());
    }

    @Override
    public Correlated correlated() {
        return new OnHosts();
    }

    /** A schedule of timers on several hosts: all or none, unless a host fails between two commits. */
    private final class Together implements HostsWrite<List<ScheduleResult>> {
        private final List<NewTimer> timers;
        private final SortedMap<String, List<Integer>> places;
        private int attempts;

        Together(List<NewTimer> timers, SortedMap<String, List<Integer>> places) {
            this.timers = timers;
            this.places = places;
        }

        @Override
        public List<ScheduleResult> write(String host, TimerWrites writes) {
            return writes.schedule(part(timers, places.getOrDefault(host, List.of())));
        }

        @Override
        public List<ScheduleResult> writeAlone(String host) {
            return write(host, hosts.store(host));
        }

        @Override
        public void collided(CollisionException collision) {
            attempts++;
            if (attempts == ATTEMPTS) {
                throw collision;
            }
        }
    }

    /** The correlation keys of all hosts. A key is locked at its home, and its todos are searched on every host. */
    private final class OnHosts implements Correlated {
        @Override
        public void lock(String queue, Collection<String> correlationKeys) {
            SortedMap<String, TreeSet<String>> keys = new TreeMap<>();
            correlationKeys.forEach(
                    key -> keys.computeIfAbsent(hosts.ranking().home(StableHash.of(key)), host -> new TreeSet<>())
                            .add(key));
            keys.forEach((host, locked) -> hosts.call(host, () -> {
                on.apply(host).correlated().lock(queue, locked);
                return host;
            }));
        }

        @Override
        public Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type) {
            return hosts.names().stream()
                    .flatMap(host -> hosts
                            .call(
                                    host,
                                    () -> on.apply(host).correlated().waiting(queue, tenantId, correlationKey, type))
                            .stream())
                    .max(Comparator.comparing(StoredTimer::dueAt).thenComparing(StoredTimer::key));
        }
    }
}
