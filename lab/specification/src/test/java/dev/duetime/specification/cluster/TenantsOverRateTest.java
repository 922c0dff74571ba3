package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a queue with more tenants over their rate than a read can leave out, which are 1,000. */
class TenantsOverRateTest {
    private static final Duration A_READ = Duration.ofMillis(5);
    private static final Duration TIME = Duration.ofSeconds(6);
    private static final int FREE = 5;

    private final TestClock clock = new TestClock();
    private final PassedRows store = new PassedRows(clock, Duration.ZERO);
    private final List<Duration> lateness = new ArrayList<>();
    private int ofOthers;

    private final Scheduler scheduler = Scheduler.builder()
            .store(store)
            .clock(clock)
            .shards(4)
            .batchSize(100)
            .publisher(batch -> batch.forEach(each -> {
                if (each.key().tenantId().startsWith("free")) {
                    lateness.add(Duration.between(each.event().dueAt(), clock.now()));
                } else {
                    ofOthers++;
                }
            }))
            .queue("default", queue -> queue.tenantRateLimit(RateLimit.perMinute(1)))
            .build();

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** Lets tenants have three timers that are due, and one permit. Others have one timer, and become due later. */
    private void deliver(int tenants) {
        scheduler.start();
        clock.advance(Duration.ofSeconds(1));
        store.eachRead(A_READ);
        Instant first = clock.now().minusSeconds(3_600);
        for (int i = 0; i < 3; i++) {
            int turn = i;
            scheduler.scheduleAll(IntStream.range(0, tenants)
                    .mapToObj(tenant -> Timer.at(
                                    TimerKey.of("t" + tenant, "b" + turn), first.plusMillis(tenant + 10_000L * turn))
                            .build())
                    .toList());
        }
        scheduler.scheduleAll(IntStream.range(0, FREE)
                .mapToObj(i -> Timer.at(
                                TimerKey.of("free" + i, "f"), clock.now().plusMillis(2_000 + 500L * i))
                        .build())
                .toList());
        clock.advance(Duration.ofSeconds(1));
        store.takeReads();
        clock.advance(TIME);
    }

    /** Returns which part of the time the loop was reading. */
    private double reading() {
        return (double) A_READ.toNanos() * store.takeReads() / TIME.toNanos();
    }

    @Test
    void tenantsThatAReadLeavesOutHoldUpNobody() {
        deliver(800);

        assertThat(ofOthers).isEqualTo(800);
        assertThat(lateness).hasSize(FREE).allSatisfy(late -> assertThat(late).isLessThan(Duration.ofMillis(50)));
        assertThat(reading()).isLessThan(0.1);
    }

    @Test
    void moreTenantsLeaveTheLoopTimeToRest() {
        deliver(1_300);

        assertThat(ofOthers).isEqualTo(1_300);
        assertThat(reading()).isLessThan(0.3);
    }
}
