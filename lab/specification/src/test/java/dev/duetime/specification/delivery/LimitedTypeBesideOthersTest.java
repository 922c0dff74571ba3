package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
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

/**
 * The rule that the backlog of a type which waits for its limit delays no other type, although permits arrive while a
 * call of the publisher runs.
 */
class LimitedTypeBesideOthersTest {
    private static final int BATCH = 50;
    private static final int BACKLOG = 10 * BATCH;
    private static final int OTHERS = 100;
    private static final Duration APART = Duration.ofMillis(100);

    @ParameterizedTest
    @CsvSource({"100, 20", "40, 50", "250, 5", "5, 20"})
    void othersArePromptThoughPermitsArriveDuringEachCall(int callMillis, int rate) {
        run(callMillis, rate, OTHERS);
    }

    /** A read that leaves it out finds nothing. The next one includes it, though the permits came before. */
    @ParameterizedTest
    @CsvSource({"100, 20", "40, 50", "250, 5", "5, 20"})
    void aTypeThatIsAloneUsesItsRate(int callMillis, int rate) {
        run(callMillis, rate, 0);
    }

    private static void run(int callMillis, int rate, int others) {
        List<TestClock> clock = new ArrayList<>();
        List<Duration> lateness = new ArrayList<>();
        List<Instant> limited = new ArrayList<>();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .batchSize(BATCH)
                        .queue(
                                "default",
                                queue -> queue.publisher(batch -> {
                                            Instant now = clock.get(0).now();
                                            batch.forEach(each -> {
                                                if (each.event().type().equals("other")) {
                                                    lateness.add(Duration.between(
                                                            each.event().dueAt(), now));
                                                } else {
                                                    limited.add(now);
                                                }
                                            });
                                            clock.get(0).linger(Duration.ofMillis(callMillis));
                                        })
                                        .type("limited", type -> type.rateLimit(RateLimit.perSecond(rate)))))
                .build()) {
            clock.add(kit.clock());
            schedule(kit, "limited", BACKLOG, Duration.ZERO);
            kit.advance(Duration.ofSeconds(2));
            int begun = limited.size();
            schedule(kit, "other", others, APART);
            kit.advance(APART.multipliedBy(OTHERS).plusSeconds(1));

            assertThat(lateness).hasSize(others).allMatch(each -> each.toMillis() <= 4L * callMillis + 100);
            assertThat(limited).hasSizeGreaterThan(begun + Math.min(BACKLOG - begun, 9 * rate) - 1);
        }
    }

    private static void schedule(TimerKit kit, String type, int count, Duration apart) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.at(TimerKey.of(type + i), kit.now().plus(apart.multipliedBy(i)))
                                .type(type)
                                .build())
                        .toList());
    }
}
