package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that retries of a slow tenant get permits, too, while other timers take all that there are. */
class SlowRetriesWithLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EACH = Duration.ofMillis(20);
    private static final String SLOW = "slow";

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<TimerKey, Instant> publishedAt = new HashMap<>();

    /** Each timer of the slow tenant takes two seconds, and its first attempt fails. */
    private void publish(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failed = new HashMap<>();
        for (Envelope each : batch) {
            boolean isSlow = each.key().tenantId().equals(SLOW);
            clock.linger(isSlow ? SECOND.multipliedBy(2) : EACH);
            if (isSlow && each.attempt() == 1) {
                failed.put(each.id(), new IOException("refused"));
            } else {
                publishedAt.putIfAbsent(each.key(), clock.now());
            }
        }
        if (!failed.isEmpty()) {
            throw new PartialPublishException(failed);
        }
    }

    private List<Timer> timers(String tenant, int count, Duration every) {
        Instant now = clock.now();
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.at(TimerKey.of(tenant, tenant + i), now.plus(every.multipliedBy(i)))
                        .build())
                .toList();
    }

    /** Without the limit, the share of the time that a failing tenant gets lets as many begin. */
    @Test
    void retriesOfASlowTenantAreDeliveredBesideABacklog() {
        try (clock;
                Scheduler scheduler = Scheduler.builder()
                        .store(new InMemoryScheduleStore(clock))
                        .clock(clock)
                        .batchSize(50)
                        .shards(4)
                        .concurrency(8)
                        .retry(RetryPolicy.fixed(SECOND))
                        .publisher(this::publish)
                        .queue("default", queue -> queue.rateLimit(RateLimit.perSecond(20)))
                        .build()) {
            scheduler.start();
            List<Timer> slow = timers(SLOW, 3, SECOND);
            scheduler.scheduleAll(slow);
            // Twice as many as the limit lets through.
            scheduler.scheduleAll(timers("a", 2_400, SECOND.dividedBy(20)));
            scheduler.scheduleAll(timers("b", 2_400, SECOND.dividedBy(20)));
            clock.advance(SECOND.multipliedBy(120));

            assertThat(publishedAt).containsKeys(slow.stream().map(Timer::key).toArray(TimerKey[]::new));
            assertThat(publishedAt.size()).isGreaterThan(2_000);
        }
    }
}
