package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.Health;
import dev.duetime.Payload;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.hosts.HostSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the engines of a node, one for each host. A host that is away when the node is built gets its engine when it is back,
 * looked for once a second, or by the first call that needs it. Thread-safe.
 */
final class HostNode {
    private static final Logger LOG = LoggerFactory.getLogger(HostNode.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final HostSet hosts;
    private final Clock given;
    private final boolean ofStores;
    private final NodeSettings node;
    private final List<QueueSettings> queues;
    private final BiFunction<String, List<NewTimer>, List<NewTimer>> elsewhere;
    private final List<HostListener.Sums> sums;
    private final Map<String, Integer> shards = new HashMap<>();
    private final String first;

    // Mutable state, guarded by this; engines is replaced, never changed, and read without it.
    private volatile Map<String, Engine> engines = Map.of();
    private final List<Clock.Loop> openings = new ArrayList<>();
    private @Nullable List<Runnable> tending;
    private boolean closed;
    private @Nullable BiFunction<Timer, @Nullable Instant, NewTimer> resolver;
    private UnaryOperator<Payload> limited = UnaryOperator.identity();

    HostNode(
            HostSet hosts,
            Clock clock,
            boolean ofStores,
            NodeSettings node,
            List<QueueSettings> queues,
            BiFunction<String, List<NewTimer>, List<NewTimer>> elsewhere) {
        this.hosts = hosts;
        this.given = clock;
        this.ofStores = ofStores;
        this.node = node;
        this.queues = queues;
        this.elsewhere = elsewhere;
        sums = node.listeners().sums();
        first = openAll();
    }

    private String openAll() {
        StoreException away = null;
        for (String host : hosts.hosts().keySet()) {
            try {
                open(host);
            } catch (StoreException e) {
                LOG.warn("host {} is away and looked for until it is back: {}", host, ErrorText.of(e));
                away = away == null ? e : away;
            }
        }
        if (engines.isEmpty()) {
            throw Objects.requireNonNull(away);
        }
        return engines.keySet().iterator().next();
    }

    /** Opens the queues of a host, with as many shards as on the first one. */
    private synchronized Engine open(String host) {
        Engine known = engines.get(host);
        if (known != null) {
            return known;
        }
        ScheduleStore store = Objects.requireNonNull(hosts.hosts().get(host));
        Clock clock = ofStores ? new StoreClock(given, store.leases()) : given;
        List<QueueSettings> settings = queues.stream()
                .map(each ->
                        shards.containsKey(each.name()) ? each.withShards(shards.getOrDefault(each.name(), 1)) : each)
                .toList();
        Engine engine = new Engine(store, clock, node.with(node.listeners().ofHost(host, sums)), settings);
        for (QueueSettings queue : queues) {
            int count = engine.shards(queue.name());
            int expected = Objects.requireNonNullElse(shards.putIfAbsent(queue.name(), count), count);
            if (count != expected) {
                throw new IllegalStateException(
                        "queue %s must have as many shards on all hosts, %d, but has %d on host %s since it was created"
                                .formatted(queue.name(), expected, count, host));
            }
        }
        engine.schedules().elsewhere(timers -> elsewhere.apply(host, timers));
        if (resolver != null) {
            engine.resolvers(resolver, limited);
        }
        Map<String, Engine> more = new TreeMap<>(engines);
        more.put(host, engine);
        engines = more;
        if (tending != null && !closed) {
            engine.start(List.of());
        }
        return engine;
    }

    /** Runs work on the engine of a host; its store's failures get the host's name. */
    <T> T call(String host, Function<Engine, T> work) {
        return hosts.call(host, () -> {
            Engine known = engines.get(host);
            return work.apply(known != null ? known : open(host));
        });
    }

    private Engine first() {
        return Objects.requireNonNull(engines.get(first));
    }

    Clock clock() {
        return first().clock();
    }

    Map<String, Integer> shards() {
        return shards;
    }

    Map<String, Engine> engines() {
        return engines;
    }

    synchronized void start(List<Runnable> tasks) {
        if (closed) {
            throw new IllegalStateException("scheduler is closed and cannot be started again");
        }
        if (tending != null) {
            return;
        }
        tending = tasks;
        engines.forEach((host, engine) -> engine.start(host.equals(first) ? tasks : List.of()));
        for (String host : hosts.hosts().keySet()) {
            if (!engines.containsKey(host)) {
                openings.add(given.start("duetime-open-" + host, () -> look(host)));
            }
        }
    }

    private Instant look(String host) {
        try {
            open(host);
            LOG.info("host {} is back", host);
            return Instant.MAX;
        } catch (StoreException e) {
            return given.now().plus(LOOK_EVERY);
        } catch (IllegalStateException e) {
            LOG.error("host {} is left alone until the next start: {}", host, e.getMessage());
            return Instant.MAX;
        }
    }

    /** Lets all end at once what they do, then waits for one after the other. */
    void close() {
        List<Clock.Loop> looking;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            looking = List.copyOf(openings);
        }
        looking.forEach(each -> each.close(Duration.ZERO));
        engines.values().forEach(Engine::closeSoon);
        engines.values().forEach(Engine::close);
    }

    /** Housekeeping does so once started, where one host that is away holds up no caller. */
    void refreshClock() {
        boolean started;
        synchronized (this) {
            started = tending != null && !closed;
        }
        if (started) {
            return;
        }
        try {
            first().refreshClock();
        } catch (StoreException e) {
            LOG.debug("the time of host {} is carried on", first, ErrorText.traceOf(e));
        }
    }

    synchronized void resolvers(
            BiFunction<Timer, @Nullable Instant, NewTimer> ofTimers, UnaryOperator<Payload> ofPayloads) {
        resolver = ofTimers;
        limited = ofPayloads;
        engines.values().forEach(each -> each.resolvers(ofTimers, ofPayloads));
    }

    List<InFlight> deliveries() {
        return engines.values().stream()
                .flatMap(each -> each.loops().deliveries().stream())
                .toList();
    }

    void wakeAll() {
        engines.values().forEach(each -> each.loops().wakeAll());
    }

    Health health(Instant now) {
        Map<String, Health> all = new TreeMap<>();
        engines.forEach((host, engine) -> all.put(host, engine.health()));
        return HostHealth.sum(all, node.nodeId().toString(), now);
    }
}
