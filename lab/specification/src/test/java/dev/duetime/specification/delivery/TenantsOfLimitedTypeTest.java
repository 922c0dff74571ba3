package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rule that tenants take turns also within a type that waits for its limit. */
class TenantsOfLimitedTypeTest {
    private static final int BACKLOG = 3_000;
    private static final int OTHERS = 80;
    private static final Duration APART = Duration.ofMillis(250);
    private static final int RATE = 50;

    @Test
    void withinTheRateOfAType() {
        run(0, queue -> queue.type("limited", type -> type.rateLimit(RateLimit.perSecond(RATE))));
    }

    @Test
    void withinTheRateOfATypeWhileCallsTakeLong() {
        run(100, queue -> queue.type("limited", type -> type.rateLimit(RateLimit.perSecond(RATE))));
    }

    @Test
    void withinTheConcurrencyOfAType() {
        run(40, queue -> queue.concurrency(4).type("limited", type -> type.concurrencyLimit(2)));
    }

    @Test
    void besideAnotherType() {
        run(
                20,
                Set.of("limited", "unlimited"),
                queue -> queue.type("limited", type -> type.rateLimit(RateLimit.perSecond(RATE))));
    }

    private static void run(int callMillis, Consumer<QueueBuilder> limit) {
        run(callMillis, Set.of("limited"), limit);
    }

    private static void run(int callMillis, Set<String> types, Consumer<QueueBuilder> limit) {
        List<TestClock> clock = new ArrayList<>();
        List<Duration> lateness = new ArrayList<>();
        List<Instant> all = new ArrayList<>();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.queue(
                        "default",
                        queue -> limit.accept(queue.publisher(batch -> {
                            Instant now = clock.get(0).now();
                            batch.forEach(each -> {
                                all.add(now);
                                if (!each.key().tenantId().equals("big")) {
                                    lateness.add(Duration.between(each.event().dueAt(), now));
                                }
                            });
                            clock.get(0).linger(Duration.ofMillis(callMillis));
                        }))))
                .build()) {
            clock.add(kit.clock());
            types.forEach(type -> schedule(kit, type, Stream.of("big"), BACKLOG, Duration.ZERO));
            types.forEach(
                    type -> schedule(kit, type, Stream.of("a", "b", "c", "d"), OTHERS / 4, APART.multipliedBy(4)));
            kit.advance(APART.multipliedBy(OTHERS).plusSeconds(3));

            assertThat(lateness)
                    .hasSize(OTHERS * types.size())
                    .allMatch(each -> each.compareTo(Duration.ofSeconds(2)) < 0);
            assertThat(all).hasSizeGreaterThan(RATE * 16);
        }
    }

    private static void schedule(TimerKit kit, String type, Stream<String> tenants, int count, Duration apart) {
        kit.scheduler()
                .scheduleAll(tenants.flatMap(tenant -> IntStream.range(0, count)
                                .mapToObj(i -> Timer.at(
                                                TimerKey.of(tenant, type + i),
                                                kit.now().plus(apart.multipliedBy(i)))
                                        .type(type)
                                        .build()))
                        .toList());
    }
}
