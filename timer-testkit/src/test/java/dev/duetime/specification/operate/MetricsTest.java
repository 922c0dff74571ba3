package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Limits;
import dev.duetime.listener.ListSweep;
import dev.duetime.metrics.TimerMetrics;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of which meters Micrometer gets, and that the operations page shows a real scrape. */
class MetricsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Path PAGE = Path.of("..", "docs", "operations.md");

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private static TimerKit kit(MeterRegistry registry, int nodes) {
        return TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> scheduler
                        .listener(new TimerMetrics(registry))
                        .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2)))
                .build();
    }

    private static Timer.Builder payment(String id, Duration delay) {
        return Timer.after(id, delay).type("payment-timeout");
    }

    /** Lets each event happen once, as the operations page shows it. */
    private static void run(TimerKit kit) {
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("poison"));
        Timer repeated = Timer.at("repeated", kit.now().plus(SECOND))
                .type("payment-timeout")
                .build();
        for (int i = 0; i < 100; i++) {
            kit.scheduler().schedule(payment("order-" + i, SECOND.plusMillis(i)).build());
        }
        kit.scheduler().schedule(repeated);
        kit.scheduler().schedule(repeated);
        kit.scheduler().schedule(payment("moved", SECOND).build());
        kit.scheduler().schedule(payment("moved", Duration.ofHours(1)).build());
        kit.scheduler().schedule(payment("poison", SECOND).build());
        kit.scheduler()
                .schedule(payment("late", SECOND)
                        .expiresAt(kit.now().plusSeconds(2))
                        .build());
        Timer tooLate = Timer.at("too late", kit.now().minusSeconds(9))
                .type("payment-timeout")
                .expiresAt(kit.now().minusSeconds(8))
                .build();
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler().schedule(tooLate));
        kit.scheduler().schedule(payment("cancelled", SECOND).build());
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        kit.scheduler().cancel(TimerKey.of("unknown"));
        StoredTimer todo = kit.store().find(TimerKey.of("moved")).orElseThrow();
        kit.scheduler().listener().advanced(todo, todo);
        kit.scheduler().listener().tookTooLong(todo, SECOND);
        kit.scheduler().listener().sweptTodos(new ListSweep("unpaid-orders", kit.now(), 2, 1, 1, 0));
        kit.node(0).pause();
        kit.advance(SECOND.multipliedBy(4));
        kit.node(0).resume();
        kit.advance(Duration.ofMinutes(1));
        kit.scheduler().schedule(payment("healthy", SECOND).build());
        kit.advance(Duration.ofMinutes(1));
        kit.node(0).storeDown();
        kit.advance(SECOND.multipliedBy(5));
        kit.node(0).storeUp();
        kit.advance(Duration.ofMinutes(1));
    }

    /** Leaves out the values that change with the pace of the engine, such as how often it polled. */
    private static String withoutPace(String line) {
        return line.contains("_total{") ? line : line.substring(0, line.lastIndexOf(' '));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private double gauge(String name) {
        return registry.get(name).tags("queue", "default").gauge().value();
    }

    @Test
    void everyEventIsCounted() {
        try (TimerKit kit = kit(registry, 1)) {
            run(kit);
            Tags type = Tags.of("queue", "default", "type", "payment-timeout");

            assertThat(registry.get("duetime.timer.scheduled")
                            .tags(type.and("outcome", "created"))
                            .counter()
                            .count())
                    .isEqualTo(106);
            assertThat(count("duetime.timer.scheduled", "outcome", "unchanged")).isEqualTo(1);
            assertThat(count("duetime.timer.scheduled", "outcome", "rescheduled"))
                    .isEqualTo(1);
            assertThat(count("duetime.timer.scheduled", "outcome", "ignored")).isZero();
            assertThat(count("duetime.timer.delivered", "type", "payment-timeout"))
                    .isEqualTo(102);
            assertThat(count("duetime.timer.failed")).isEqualTo(2);
            assertThat(count("duetime.timer.retried")).isEqualTo(1);
            assertThat(count("duetime.timer.dead")).isEqualTo(1);
            assertThat(count("duetime.timer.rejected", "type", "payment-timeout"))
                    .isEqualTo(1);
            assertThat(count("duetime.timer.expired", "reason", "delivery_too_late"))
                    .isEqualTo(1);
            assertThat(count("duetime.timer.cancelled", "outcome", "cancelled")).isEqualTo(1);
            assertThat(count("duetime.timer.cancelled", "outcome", "not_found")).isEqualTo(1);
            assertThat(registry.get("duetime.timer.lateness").timer().count()).isEqualTo(102);
            assertThat(registry.get("duetime.timer.lateness").timer().max(TimeUnit.SECONDS))
                    .isBetween(3.0, 4.0);
            assertThat(registry.get("duetime.poll.batch").summary().totalAmount())
                    .isGreaterThanOrEqualTo(103);
            assertThat(registry.get("duetime.poll.duration").timer().count()).isPositive();
        }
    }

    @Test
    void anOvertakenOutcomeIsCounted() {
        try (TimerKit kit = kit(registry, 1)) {
            kit.publisher()
                    .onEach(envelope -> kit.scheduler()
                            .schedule(payment("a", Duration.ofDays(1)).build()));
            kit.scheduler().schedule(payment("a", SECOND).build());
            kit.advance(SECOND);

            assertThat(count("duetime.timer.overtaken", "queue", "default")).isEqualTo(1);
        }
    }

    @Test
    void pendingAndTheOldestDueAgeAreSampledOnceAMinute() {
        try (TimerKit kit = kit(registry, 1)) {
            for (int i = 0; i < 30; i++) {
                kit.scheduler().schedule(payment("t-" + i, Duration.ofHours(1)).build());
            }
            kit.advance(Duration.ofMinutes(1));
            assertThat(gauge("duetime.queue.pending")).isEqualTo(30);
            assertThat(gauge("duetime.queue.oldest.due.age")).isZero();
            assertThat(gauge("duetime.queue.in.flight")).isZero();
            assertThat(gauge("duetime.shards.owned")).isEqualTo(4);
            assertThat(gauge("duetime.queue.paused")).isZero();
            kit.scheduler().admin().pause("default");
            assertThat(gauge("duetime.queue.paused")).isEqualTo(1);
            kit.scheduler().admin().resume("default");
            assertThat(gauge("duetime.queue.paused")).isZero();

            kit.publisher().failAlways();
            kit.advance(Duration.ofHours(2));
            assertThat(gauge("duetime.queue.oldest.due.age")).isBetween(3_600.0, 3_660.0);
            assertThat(registry.get("duetime.outage")
                            .tags("what", "publisher of queue default")
                            .gauge()
                            .value())
                    .isEqualTo(1);

            kit.publisher().recover();
            kit.advance(Duration.ofMinutes(1));
            assertThat(gauge("duetime.queue.pending")).isZero();
            assertThat(gauge("duetime.queue.oldest.due.age")).isZero();
            assertThat(registry.get("duetime.outage").gauge().value()).isZero();
        }
    }

    @Test
    void aShardThatAnotherNodeTookOverIsALostLease() {
        try (TimerKit kit = kit(registry, 1)) {
            kit.scheduler().schedule(payment("a", Duration.ofHours(1)).build());
            kit.node(0).pause();
            kit.addNode();
            kit.advance(SECOND.multipliedBy(30));
            kit.node(0).resume();
            kit.advance(SECOND.multipliedBy(30));

            assertThat(count("duetime.leases.lost", "queue", "default")).isEqualTo(4);
        }
    }

    @Test
    void aReleasedShardWithALostReplyIsNoLostLease() {
        try (TimerKit kit = kit(registry, 1)) {
            kit.advance(SECOND);
            kit.node(0).failAfter(StoreCall.RELEASE);
            kit.addNode();
            kit.advance(Duration.ofMinutes(2));

            assertThat(kit.store().leases().view("default").leases())
                    .extracting(each -> String.valueOf(each.owner()).substring(0, 6))
                    .containsOnly("node-0", "node-1");
            assertThat(count("duetime.leases.lost", "queue", "default")).isZero();
        }
    }

    @Test
    void timersThatAnOperatorCancelsAreCounted() {
        try (TimerKit kit = kit(registry, 1)) {
            for (int i = 0; i < 5; i++) {
                kit.scheduler().schedule(payment("t-" + i, SECOND).build());
            }
            kit.scheduler()
                    .admin()
                    .cancel(TimerQuery.all().type("payment-timeout").limit(2));

            assertThat(count("duetime.timer.cancelled", "outcome", "cancelled")).isEqualTo(5);
        }
    }

    @Test
    void withoutAListenerOfTheNodeTheStoreIsNotSampled() {
        try (TimerKit silent = TimerKit.create();
                TimerKit bound = kit(registry, 1)) {
            silent.clock().everyTurn(true);
            bound.clock().everyTurn(true);
            silent.advance(Duration.ofMinutes(10));
            bound.advance(Duration.ofMinutes(10));
            KitNode silentNode = silent.node(0);
            KitNode boundNode = bound.node(0);

            assertThat(silentNode.calls(StoreCall.PENDING)).isZero();
            assertThat(boundNode.calls(StoreCall.PENDING)).isEqualTo(11);
            assertThat(boundNode.calls(StoreCall.NEXT_DUE)).isEqualTo(silentNode.calls(StoreCall.NEXT_DUE) + 11);
        }
    }

    @Test
    void theOperationsPageNamesEveryMeterAndNoOther() throws IOException {
        try (TimerKit kit = kit(registry, 1)) {
            run(kit);
            kit.node(0).storeDown();
            kit.advance(Duration.ofMinutes(1));
        }
        Set<String> metered = registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .filter(name -> !name.endsWith(".histogram"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = new TreeSet<>();
        String page = Files.readString(PAGE);
        String table = page.substring(page.indexOf("## Metrics"), page.indexOf("## Listeners"));
        Matcher row = Pattern.compile("(?m)^\\| `(duetime\\.[a-z.]+)`").matcher(table);
        while (row.find()) {
            named.add(row.group(1));
        }

        assertThat(named).isEqualTo(metered);
    }

    @Test
    void anAgeOfTwoThousandYearsIsMeasuredAndCountsAsOneDayLate() {
        try (TimerKit kit = kit(registry, 1)) {
            kit.publisher().failAlways();
            kit.scheduler().schedule(Timer.at("ancient", Limits.EARLIEST).build());
            kit.advance(Duration.ofMinutes(2));
            double seconds = Duration.between(Limits.EARLIEST, kit.now()).toSeconds();
            assertThat(gauge("duetime.queue.oldest.due.age")).isBetween(seconds - 120, seconds);

            kit.publisher().recover();
            kit.advance(Duration.ofHours(1));
            assertThat(registry.get("duetime.timer.lateness").timer().count()).isOne();
            assertThat(registry.get("duetime.timer.lateness").timer().totalTime(TimeUnit.DAYS))
                    .isEqualTo(1);
        }
    }

    @Test
    void theScrapeInTheOperationsPageIsOfARun() throws IOException {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TimerKit kit = kit(prometheus, 1)) {
            run(kit);
            List<String> scraped = prometheus
                    .scrape()
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.contains("_max{"))
                    .sorted()
                    .toList();
            Matcher block = Pattern.compile("(?s)```prometheus\n(.*?)```").matcher(Files.readString(PAGE));

            assertThat(block.find()).isTrue();
            assertThat(block.group(1).lines().map(MetricsTest::withoutPace))
                    .isEqualTo(scraped.stream().map(MetricsTest::withoutPace).toList());
        }
    }
}
