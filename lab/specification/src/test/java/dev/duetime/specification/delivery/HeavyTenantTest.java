package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rule that a backlog of large payloads holds up no other tenant: the memory for a read ends it after a few timers
 * of that tenant.
 */
class HeavyTenantTest {
    private static final int PAYLOAD = 900_000;
    private static final int HEAVY = 200;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(500);

    private final Map<TimerKey, Instant> publishedAt = new HashMap<>();

    private void publish(TimerKit kit, List<Envelope> envelopes) {
        kit.clock().linger(CALL);
        envelopes.forEach(each -> publishedAt.put(each.key(), kit.now()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void smallTimersOfAnotherTenantAreFoundBehindLargeOnes(int concurrency) {
        TimerKit[] own = new TimerKit[1];
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler ->
                        scheduler.shards(4).concurrency(concurrency).publisher(batch -> publish(own[0], batch)))
                .build()) {
            own[0] = kit;
            String large = "x".repeat(PAYLOAD);
            for (int i = 0; i < HEAVY; i++) {
                kit.scheduler()
                        .schedule(Timer.after(TimerKey.of("heavy", "h" + i), SECOND.plusMillis(i))
                                .payload(large)
                                .build());
            }
            List<TimerKey> small = IntStream.range(0, 20)
                    .mapToObj(i -> TimerKey.of("small", "s" + i))
                    .toList();
            for (int i = 0; i < small.size(); i++) {
                kit.scheduler()
                        .schedule(
                                Timer.after(small.get(i), SECOND.multipliedBy(2).plusMillis(50L * i))
                                        .build());
            }
            Instant begin = kit.now();
            kit.advance(SECOND.multipliedBy(5));

            assertThat(publishedAt).hasSizeLessThan(HEAVY);
            assertThat(small)
                    .allSatisfy(key -> assertThat(Duration.between(begin, publishedAt.get(key)))
                            .isLessThan(SECOND.multipliedBy(2 + 1 + 1)));
        }
    }
}
