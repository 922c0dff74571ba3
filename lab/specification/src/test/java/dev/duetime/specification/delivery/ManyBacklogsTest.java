package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that what becomes due of a tenant does not wait behind the backlogs of many others. */
class ManyBacklogsTest {
    private static final int EACH = 1_000;

    /**
     * Runs a queue with many backlogs.
     *
     * @param tenants how many tenants have a backlog
     * @param apartMillis how much time is between two timers of a backlog
     */
    @ParameterizedTest
    @CsvSource({"5, 0", "15, 0", "15, 10", "40, 10"})
    void othersArePromptBehindManyBacklogs(int tenants, int apartMillis) {
        List<TestClock> clock = new ArrayList<>();
        List<Duration> lateness = new ArrayList<>();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.batchSize(50).publisher(batch -> {
                    Instant now = clock.get(0).now();
                    batch.stream()
                            .filter(each -> each.key().tenantId().equals("other"))
                            .forEach(each ->
                                    lateness.add(Duration.between(each.event().dueAt(), now)));
                    clock.get(0).linger(Duration.ofMillis(100));
                }))
                .build()) {
            clock.add(kit.clock());
            Instant first = kit.now().minusSeconds(60);
            for (int i = 0; i < tenants; i++) {
                schedule(kit, "big" + i, EACH, first, Duration.ofMillis(apartMillis));
            }
            kit.advance(Duration.ofSeconds(1));
            schedule(kit, "other", 20, kit.now().plusMillis(100), Duration.ofMillis(250));
            kit.advance(Duration.ofSeconds(8));

            assertThat(lateness).hasSize(20).allMatch(each -> each.compareTo(Duration.ofSeconds(1)) < 0);
        }
    }

    private static void schedule(TimerKit kit, String tenant, int count, Instant first, Duration apart) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.at(TimerKey.of(tenant, "t" + i), first.plus(apart.multipliedBy(i)))
                                .build())
                        .toList());
    }
}
