package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that retries get permits, too, while other timers take all that there are. */
class RetriesWithLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, Instant> publishedAt = new HashMap<>();
    private @Nullable TimerKit kit;

    private TimerKit kit() {
        return Objects.requireNonNull(kit);
    }

    private void failFirstAttempts(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failed = new HashMap<>();
        for (Envelope each : batch) {
            if (each.key().timerId().startsWith("retry") && each.attempt() == 1) {
                failed.put(each.id(), new IOException("refused"));
            } else {
                publishedAt.put(each.key().timerId(), kit().now());
            }
        }
        if (!failed.isEmpty()) {
            throw new PartialPublishException(failed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void retriesAreDeliveredBesideABacklog(int concurrency) {
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .concurrency(concurrency)
                        .batchSize(100)
                        .retry(RetryPolicy.fixed(SECOND))
                        .publisher(this::failFirstAttempts)
                        .queue("default", queue -> queue.rateLimit(RateLimit.perSecond(20))))
                .build();
        Instant start = kit().now().plus(SECOND);
        kit().scheduler()
                .scheduleAll(IntStream.range(0, 5)
                        .mapToObj(
                                i -> Timer.at(TimerKey.of("retry-" + i), start).build())
                        .toList());
        // Twice as many as the limit lets through.
        kit().scheduler()
                .scheduleAll(IntStream.range(0, 2_400)
                        .mapToObj(i -> Timer.at(TimerKey.of("fresh-" + i), start.plusMillis(25L * i))
                                .build())
                        .toList());
        kit().advance(SECOND.multipliedBy(20));

        assertThat(publishedAt).containsKeys("retry-0", "retry-1", "retry-2", "retry-3", "retry-4");
        assertThat(publishedAt).hasSizeBetween(350, 450);
    }
}
