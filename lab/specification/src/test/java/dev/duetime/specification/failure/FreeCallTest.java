package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
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
import org.junit.jupiter.api.Test;

/** The rule that a free call is not kept for a timer that cannot begin. */
class FreeCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, Instant> deliveredAt = new HashMap<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler ->
                    scheduler.concurrency(2).publisher(this::publish).retry(RetryPolicy.fixed(Duration.ofHours(1))))
            .build();

    private void publish(List<Envelope> batch) throws IOException {
        boolean hangs = batch.stream().anyMatch(each -> each.key().timerId().equals("hangs"));
        kit.clock().linger(hangs ? Duration.ofMinutes(10) : Duration.ofMillis(20));
        if (batch.stream().anyMatch(each -> each.key().timerId().startsWith("bad"))) {
            throw new IOException("refused");
        }
        batch.forEach(each -> deliveredAt.put(each.key().timerId(), kit.now()));
    }

    private static Timer timer(String tenant, String id, String type, String parallelKey) {
        return timer(tenant, id, type, parallelKey, 10);
    }

    private static Timer timer(String tenant, String id, String type, String parallelKey, int millis) {
        return Timer.after(TimerKey.of(tenant, id), Duration.ofMillis(millis))
                .type(type)
                .parallelKey(parallelKey)
                .build();
    }

    @Test
    void aTimerOfAFailingTypeThatWaitsForAnEarlierOneOfItsKeyHoldsUpNobody() {
        for (int i = 0; i < 5; i++) {
            kit.scheduler()
                    .scheduleAll(List.of(
                            timer("tenant", "bad-" + i, "failing", "bad-" + i),
                            timer("others", "first-" + i, "type", "first-" + i)));
            kit.advance(SECOND);
        }
        kit.scheduler().schedule(timer("slow", "hangs", "type", "slow"));
        Instant limit = kit.now().plus(SECOND.multipliedBy(5));
        kit.scheduler().schedule(timer("tenant", "head", "type", "key", 1000));
        kit.scheduler().schedule(timer("tenant", "next", "failing", "key", 1000));
        for (int i = 0; i < 5; i++) {
            kit.scheduler().schedule(timer("others", "other-" + i, "type", "other-" + i, 1000));
        }
        kit.advance(SECOND.multipliedBy(30));

        assertThat(deliveredAt).containsKeys("head", "next", "other-0", "hangs");
        assertThat(List.of("head", "other-0", "other-4"))
                .allSatisfy(each -> assertThat(deliveredAt.get(each)).as(each).isBefore(limit));
    }
}
