package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RateLimit;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.TimerStore;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster whose deliveries are recorded: when each began, and how many ran at once. */
final class LimitKit implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(10);
    static final String QUEUE = "default";

    /** A delivery that began. */
    record Began(Instant at, String id, String type, String tenant, int attempt) {}

    final List<Began> began = new ArrayList<>();
    final TimerKit kit;
    private final Map<String, Integer> callsOfKey = new TreeMap<>();
    private final Map<String, Integer> mostCallsOfKey = new TreeMap<>();
    private int running;
    private int mostRunning;
    private double runningNanos;
    private Instant runningSince = Instant.EPOCH;
    private Duration each = Duration.ZERO;
    private Predicate<String> fails = id -> false;

    LimitKit(int nodes, Consumer<SchedulerBuilder> settings) {
        this(nodes, settings, true);
    }

    LimitKit(int nodes, Consumer<SchedulerBuilder> settings, boolean publishes) {
        this(TimerKit.builder(), nodes, settings, publishes);
    }

    LimitKit(TimerStore store, int nodes, Consumer<SchedulerBuilder> settings) {
        this(TimerKit.builder().store(store), nodes, settings, true);
    }

    private LimitKit(TimerKit.Builder builder, int nodes, Consumer<SchedulerBuilder> settings, boolean publishes) {
        kit = builder.nodes(nodes)
                .configure(scheduler -> {
                    scheduler.shards(12).leaseDuration(LEASE);
                    if (publishes) {
                        scheduler.publisher(this::publish);
                    }
                    settings.accept(scheduler);
                })
                .build();
        kit.advance(LEASE.multipliedBy(3));
    }

    /** Makes each delivery take a time. */
    LimitKit each(Duration duration) {
        each = duration;
        return this;
    }

    /** Makes the first attempt of some timers fail. */
    void failFirst(Predicate<String> ids) {
        fails = ids;
    }

    private void publish(List<Envelope> batch) throws PartialPublishException {
        Set<String> keys = batch.stream()
                .map(each -> each.key().timerId().replaceFirst("[0-9]+$", ""))
                .collect(Collectors.toSet());
        keys.forEach(key -> mostCallsOfKey.merge(key, callsOfKey.merge(key, 1, Integer::sum), Math::max));
        batch.forEach(envelope -> {
            begin(
                    envelope.key().timerId(),
                    envelope.event().type(),
                    envelope.key().tenantId(),
                    envelope.attempt());
        });
        kit.clock().linger(each);
        running(-batch.size());
        keys.forEach(key -> callsOfKey.merge(key, -1, Integer::sum));
        Map<String, Throwable> failures = new TreeMap<>();
        batch.stream()
                .filter(each -> each.attempt() == 1 && fails.test(each.key().timerId()))
                .forEach(each -> failures.put(each.id(), new IllegalStateException("refused")));
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    /** Notes that a delivery begins, lets its time pass, and notes its end. */
    void run(String id, String type, String tenant, int attempt) {
        begin(id, type, tenant, attempt);
        kit.clock().linger(each);
        running(-1);
    }

    private void begin(String id, String type, String tenant, int attempt) {
        began.add(new Began(kit.now(), id, type, tenant, attempt));
        running(1);
    }

    private void running(int more) {
        runningNanos +=
                (double) running * Duration.between(runningSince, kit.now()).toNanos();
        runningSince = kit.now();
        running += more;
        mostRunning = Math.max(mostRunning, running);
    }

    /** Returns how many deliveries ran on average from then until the last one ended. */
    double meanRunning(Instant from) {
        return runningNanos / Duration.between(from, runningSince).toNanos();
    }

    /** Returns for how many seconds deliveries ran so far, all together. */
    double runningSeconds() {
        running(0);
        return runningNanos / 1e9;
    }

    /** Returns how many calls held timers of a prefix at once, by prefix. */
    Map<String, Integer> mostCallsOfKey() {
        return mostCallsOfKey;
    }

    int mostRunning() {
        return mostRunning;
    }

    /** Schedules timers that are due now, spread over all nodes. */
    void due(int count, String prefix, UnaryOperator<Timer.Builder> more) {
        kit.node(0)
                .scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(
                                i -> more.apply(Timer.at(prefix + i, kit.now()).shardingKey("k" + i))
                                        .build())
                        .toList());
    }

    /** Schedules timers of a tenant that are due now. */
    void dueOf(String tenant, int count) {
        kit.node(0)
                .scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.at(TimerKey.of(tenant, tenant + i), kit.now())
                                .shardingKey("k" + i)
                                .build())
                        .toList());
    }

    /** Schedules timers that are due now at one node, in shards of that node. */
    void dueAt(int node, int count, String prefix, UnaryOperator<Timer.Builder> more) {
        kit.node(node)
                .scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(
                                i -> more.apply(Timer.at(prefix + i, kit.now())).build())
                        .toList());
    }

    /** Returns how many deliveries of timers with this prefix have begun. */
    long countOf(String prefix) {
        return began.stream().filter(each -> each.id().startsWith(prefix)).count();
    }

    List<Began> ofType(String type) {
        return began.stream().filter(each -> each.type().equals(type)).toList();
    }

    List<Began> ofTenant(String tenant) {
        return began.stream().filter(each -> each.tenant().equals(tenant)).toList();
    }

    /** Returns how many units each node holds, by limit. */
    Map<String, Integer> units() {
        Map<String, Integer> units = new TreeMap<>();
        kit.store()
                .permits()
                .ledgers()
                .forEach(ledger -> ledger.shares().stream()
                        .filter(share -> share.until().isAfter(kit.now()))
                        .forEach(share -> units.merge(
                                share.node().replaceFirst("(node-\\d+).*", "$1"), share.units(), Integer::sum)));
        return units;
    }

    int sumOfUnits() {
        return kit.store().permits().ledgers().stream()
                .flatMap(ledger -> ledger.shares().stream())
                .filter(share -> share.until().isAfter(kit.now()))
                .mapToInt(Share::units)
                .sum();
    }

    /** Checks that no window of time holds more than the limit allows. */
    static void assertWithin(RateLimit limit, List<Began> began) {
        double perNano = (double) limit.permits() / limit.period().toNanos();
        double level = 0;
        Instant last = null;
        for (Began each : began) {
            if (last != null) {
                level = Math.max(0, level - Duration.between(last, each.at()).toNanos() * perNano);
            }
            last = each.at();
            level++;
            // A clock counts microseconds.
            assertThat(level).as("deliveries at %s", each).isLessThanOrEqualTo(limit.burst() + 0.01);
        }
    }

    long countBetween(Instant from, Duration time) {
        Instant to = from.plus(time);
        return began.stream()
                .filter(each -> !each.at().isBefore(from) && each.at().isBefore(to))
                .count();
    }

    @Override
    public void close() {
        kit.close();
    }
}
