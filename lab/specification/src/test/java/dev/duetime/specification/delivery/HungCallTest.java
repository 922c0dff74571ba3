package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that one call which does not return stops no other timer of a queue with several calls at once. */
class HungCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, Instant> publishedAt = new HashMap<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.concurrency(4).publisher(this::publish))
            .build();

    private void publish(List<Envelope> batch) {
        boolean hangs = batch.stream().anyMatch(each -> each.key().timerId().equals("hangs"));
        kit.clock().linger(hangs ? Duration.ofMinutes(10) : Duration.ofMillis(20));
        if (batch.stream().anyMatch(each -> each.key().timerId().equals("bad"))) {
            throw new IllegalStateException("refused");
        }
        batch.forEach(each -> publishedAt.put(each.key().timerId(), kit.now()));
    }

    private Instant schedule(String id, Duration delay) {
        kit.scheduler().schedule(Timer.after(id, delay).type(id).build());
        return kit.now().plus(delay);
    }

    @Test
    void anotherCallThatFailsStopsNothing() {
        schedule("hangs", SECOND);
        schedule("bad", SECOND.multipliedBy(5));
        Instant due = schedule("good", SECOND.multipliedBy(6));
        Instant later = schedule("later", SECOND.multipliedBy(60));
        kit.advance(Duration.ofMinutes(20));

        assertThat(publishedAt).containsOnlyKeys("hangs", "good", "later");
        assertThat(publishedAt.get("good")).isBefore(due.plus(SECOND.multipliedBy(3)));
        assertThat(publishedAt.get("later")).isBefore(later.plus(SECOND));
    }
}
