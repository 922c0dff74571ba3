package dev.duetime.engine.hosts;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.Health;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.Engine;
import dev.duetime.engine.operate.Upkeep;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.HostListener;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.schedule.TimerResolver;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of a node, one for each host. A host that is away when the node is built gets its engine when it is back:
 * an attempt is made once a second, and by the first call that needs the host. No other call waits for that.
 * Thread-safe.
 */
final class HostEngines {
    private static final Logger LOG = LoggerFactory.getLogger(HostEngines.class);
    private static final Duration OPEN_EVERY = Duration.ofSeconds(1);

    private final Hosts hosts;
    private final Clock given;
    private final boolean ofStores;
    private final NodeSettings node;
    private final List<QueueSettings> queues;
    private final TimerResolver resolver;
    private final BiFunction<String, List<NewTimer>, List<NewTimer>> elsewhere;
    private final Map<String, HostOpening> openings = new LinkedHashMap<>();
    /** The values of the first host that answered; they never change after that. */
    private final Map<String, Integer> shards = new HashMap<>();

    private final String first;

    // Mutable state, guarded by this; engines is replaced, never changed, and read without it.
    private volatile Map<String, Engine> engines = Map.of();
    private final List<Clock.Loop> attempts = new ArrayList<>();
    private @Nullable List<Upkeep> upkeep;
    private boolean closed;

    HostEngines(
            Hosts hosts,
            Clock clock,
            boolean ofStores,
            NodeSettings node,
            List<QueueSettings> queues,
            TimerResolver resolver,
            BiFunction<String, List<NewTimer>, List<NewTimer>> elsewhere) {
        this.hosts = hosts;
        this.given = clock;
        this.ofStores = ofStores;
        this.node = node;
        this.queues = queues;
        this.resolver = resolver;
        this.elsewhere = elsewhere;
        List<HostListener.Sums> sums = node.listeners().sums();
        hosts.oldestFirst()
                .forEach(host -> openings.put(
                        host, new HostOpening(host, node, node.listeners().ofHost(host, sums))));
        first = openAll();
    }

    /**
     * The oldest hosts first: a host that was added later must have as many shards as they have, and not the other way
     * round.
     */
    private String openAll() {
        Map<HostOpening, StoreException> away = new LinkedHashMap<>();
        String oldest = null;
        for (Map.Entry<String, HostOpening> each : openings.entrySet()) {
            String host = each.getKey();
            try {
                publish(host, build(host));
                oldest = oldest == null ? host : oldest;
            } catch (StoreException e) {
                away.put(each.getValue(), e);
            }
        }
        if (oldest == null) {
            StoreException failure = away.values().iterator().next();
            throw new StoreException(
                    "open", "host " + openings.keySet().iterator().next(), failure);
        }
        Instant now = Objects.requireNonNull(engines.get(oldest)).clock().now();
        away.forEach((opening, failure) -> opening.failed(failure, now));
        return oldest;
    }

    private Engine open(String host) {
        HostOpening opening = Objects.requireNonNull(openings.get(host));
        return opening.attempt(
                () -> {
                    Engine known = engines.get(host);
                    return known != null ? known : build(host);
                },
                engine -> engines.get(host) == engine ? engine : publish(host, engine),
                clock()::now);
    }

    /**
     * Opens the queues of a host, with as many shards as on the first one. It may take as long as a connection does.
     */
    private Engine build(String host) {
        ScheduleStore store = Objects.requireNonNull(hosts.stores().get(host));
        Clock clock = ofStores ? new StoreClock(given, store.leases()) : given;
        List<QueueSettings> settings = queues.stream()
                .map(each ->
                        shards.containsKey(each.name()) ? each.withShards(shards.getOrDefault(each.name(), 1)) : each)
                .toList();
        Listeners listeners = Objects.requireNonNull(openings.get(host)).listeners();
        Engine engine = new Engine(store, clock, node.with(listeners), settings, resolver);
        if (shards.isEmpty()) {
            queues.forEach(queue -> shards.put(queue.name(), engine.shards(queue.name())));
        }
        for (QueueSettings queue : queues) {
            int count = engine.shards(queue.name());
            int expected = shards.getOrDefault(queue.name(), 1);
            if (count != expected) {
                throw new IllegalStateException(
                        "queue %s must have as many shards on all hosts, %d, but has %d on host %s since it was created"
                                .formatted(queue.name(), expected, count, host));
            }
            if (queue.isSequential() && count > 1 && hosts.stores().size() > 1) {
                throw new IllegalStateException(
                        "queue %s must have 1 shard to run one todo at a time on all hosts, but has %d"
                                .formatted(queue.name(), count));
            }
        }
        engine.schedules().elsewhere(timers -> elsewhere.apply(host, timers));
        return engine;
    }

    /** Once the node has started, an engine whose start fails is not used: the next attempt builds another one. */
    private synchronized Engine publish(String host, Engine engine) {
        Map<String, Engine> more = new TreeMap<>(engines);
        more.put(host, engine);
        if (upkeep != null && !closed) {
            engine.start(List.of());
        }
        engines = more;
        return engine;
    }

    /** Runs work on the engine of a host; its store's failures get the host's name. */
    <T> T call(String host, Function<Engine, T> work) {
        return hosts.call(host, () -> work.apply(of(host)));
    }

    /**
     * Returns the engine of a host, which is opened if it is not yet.
     *
     * @throws StoreException if the host is away
     */
    Engine of(String host) {
        Engine known = engines.get(host);
        return known != null ? known : open(host);
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

    synchronized void start(List<Upkeep> tasks) {
        if (closed) {
            throw new IllegalStateException("scheduler is closed and cannot be started again");
        }
        if (upkeep != null) {
            return;
        }
        List<Upkeep> guarded = tasks.stream().map(HostEngines::asElsewhere).toList();
        try {
            for (String host : hosts.stores().keySet()) {
                if (!engines.containsKey(host)) {
                    attempts.add(given.start("duetime-open-" + host, () -> tryToOpen(host)));
                }
            }
            engines.forEach((host, engine) -> engine.life().prepare(host.equals(first) ? guarded : List.of()));
            upkeep = guarded;
        } catch (Throwable e) {
            EndSteps.after(e, this::undoStart);
            throw e;
        }
        // No thread is needed from here on.
        EndSteps.each(List.copyOf(engines.values()), engine -> engine.life().begin());
    }

    private void undoStart() {
        EndSteps.all(List.of(
                () -> EndSteps.each(attempts, each -> each.close(Duration.ZERO)),
                attempts::clear,
                () -> EndSteps.each(
                        List.copyOf(engines.values()), each -> each.life().undoStart())));
    }

    /** A failure there may come from any host. It shows nothing about the host whose housekeeping runs it. */
    private static Upkeep asElsewhere(Upkeep task) {
        return () -> {
            try {
                return task.run();
            } catch (StoreException e) {
                throw new ElsewhereException(e);
            }
        };
    }

    private Instant tryToOpen(String host) {
        try {
            open(host);
            return Instant.MAX;
        } catch (StoreException e) {
            HostOpening opening = Objects.requireNonNull(openings.get(host));
            return opening.isRefused() ? Instant.MAX : given.now().plus(OPEN_EVERY);
        } finally {
            UserCode.clearInterrupt(); // A listener of the outage may have left it behind.
        }
    }

    void close() {
        List<Clock.Loop> running;
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
            running = List.copyOf(attempts);
        }
        if (!first) {
            engines.values().forEach(each -> each.life().awaitClosed());
            return;
        }
        new HostShutdown(given, node.closeTimeout(), first().life().finish().longest())
                .close(engines.values(), running);
    }

    /** After the start, housekeeping does so. There a host that is away delays no caller. */
    void refreshClock() {
        boolean started;
        synchronized (this) {
            started = upkeep != null && !closed;
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

    List<InFlight> deliveries() {
        return engines.values().stream()
                .flatMap(each -> each.loops().deliveries().stream())
                .toList();
    }

    void wakeAll(Instant dueAt) {
        engines.values().forEach(each -> each.wakeAll(dueAt));
    }

    Health health(Instant now) {
        Map<String, Health> all = new TreeMap<>();
        engines.forEach((host, engine) -> all.put(host, engine.health()));
        Map<String, OngoingOutage> missing = new TreeMap<>();
        openings.forEach((host, opening) -> {
            OngoingOutage outage = opening.ongoing();
            if (outage != null) {
                missing.put(host, outage);
            }
        });
        return HostHealth.sum(all, missing, node.nodeId().toString(), now);
    }
}
