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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that one call which does not return stops no other timer of a queue with several calls at once. */
class HungCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, Instant> publishedAt = new HashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private int firstCallsHang;
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.concurrency(4).publisher(this::publish))
            .build();

    private void publish(List<Envelope> batch) {
        boolean hangs = calls.incrementAndGet() <= firstCallsHang
                || batch.stream().anyMatch(each -> each.key().timerId().equals("hangs"));
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

    /** A read leaves out a thousand busy keys at most. The timers of further ones take no room from others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void timersOfManyParallelKeysInCallsStopNoOthers(int hanging) {
        firstCallsHang = hanging;
        Instant due = kit.now().plus(SECOND);
        kit.scheduler().scheduleAll(keyed("first", 2_000, due));
        for (int i = 0; i < 4; i++) {
            kit.scheduler().scheduleAll(keyed("later" + i + "-", 2_000, due.plus(SECOND)));
        }
        kit.scheduler()
                .schedule(Timer.at("free", due.plus(SECOND.multipliedBy(9))).build());
        kit.advance(SECOND.multipliedBy(20));

        assertThat(publishedAt).containsKey("free");
    }

    private static List<Timer> keyed(String start, int count, Instant due) {
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.at(start + i, due).parallelKey("k" + i).build())
                .toList();
    }
}
