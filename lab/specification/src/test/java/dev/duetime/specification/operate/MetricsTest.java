package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Limits;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of which meters Micrometer gets. */
class MetricsTest extends MeteredKit {
    private final MeterRegistry registry = new SimpleMeterRegistry();

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
    void furtherTypesAreCountedAsOne() {
        try (TimerKit kit = kit(registry, 1)) {
            for (int i = 0; i < 1_000; i++) {
                kit.scheduler()
                        .schedule(
                                Timer.after("t-" + i, SECOND).type("type-" + i).build());
            }
            kit.advance(SECOND);

            assertThat(registry.getMeters()).hasSizeLessThan(300 * 15);
            assertThat(count("duetime.timer.delivered", "type", "type-0")).isEqualTo(1);
            assertThat(count("duetime.timer.delivered", "type", "other")).isEqualTo(700);
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
            assertThat(boundNode.calls(StoreCall.SNAPSHOT)).isEqualTo(11);
            assertThat(silentNode.calls(StoreCall.SNAPSHOT)).isZero();
        }
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
}
