package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.testkit.EachCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a timer which has a permit, but finds no call, gives the permit to others and starts no hot loop. */
class PermitWithoutCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = SECOND.multipliedBy(2);
    private static final int MANY = 50;

    private final OverlappingTime clock = new OverlappingTime();
    private final Map<String, Instant> begun = new HashMap<>();
    private Instant readAt = Instant.MIN;
    private int readsAtOnce;
    private int mostReadsAtOnce;

    @AfterEach
    void endTime() {
        clock.close();
    }

    /** Counts reads at one instant. A loop that never waits would end the passage of time, so it waits here. */
    private void count(String call) {
        if (!call.equals("due")) {
            return;
        }
        readsAtOnce = clock.now().equals(readAt) ? readsAtOnce + 1 : 1;
        readAt = clock.now();
        mostReadsAtOnce = Math.max(mostReadsAtOnce, readsAtOnce);
        if (readsAtOnce > MANY) {
            clock.linger(Duration.ofMillis(1));
        }
    }

    private void publish(List<Envelope> batch) {
        batch.forEach(each -> begun.put(each.key().tenantId() + " " + each.key().timerId(), clock.now()));
        clock.linger(CALL);
    }

    private static Timer timer(String tenant, String id, Instant dueAt) {
        return Timer.at(TimerKey.of(tenant, id), dueAt).build();
    }

    /** Of a tenant that the queue does not know yet, only three timers begin at once: the queue makes four calls. */
    private Instant scheduleFiveOfAnUnknownTenant(Consumer<QueueBuilder> limits, Timer... others) {
        Scheduler scheduler = Scheduler.builder()
                .store(EachCall.of(new InMemoryScheduleStore(clock), this::count))
                .clock(clock)
                .concurrency(4)
                .shards(1)
                .publisher(this::publish)
                .queue("default", limits)
                .build();
        scheduler.start();
        clock.advance(SECOND);
        scheduler.schedule(timer("known", "first", clock.now()));
        clock.advance(SECOND.multipliedBy(5));
        Instant dueAt = clock.now().plus(SECOND);
        List<Timer> timers = new ArrayList<>(IntStream.range(0, 5)
                .mapToObj(i -> timer("unknown", "t-" + i, dueAt))
                .toList());
        timers.addAll(List.of(others));
        scheduler.scheduleAll(timers);
        clock.advance(SECOND.plus(CALL).plus(CALL));
        return dueAt;
    }

    @Test
    void aPermitOfAConcurrencyLimitStartsNoHotLoop() {
        scheduleFiveOfAnUnknownTenant(queue -> queue.concurrencyLimit(4));
        assertThat(mostReadsAtOnce).isLessThan(10);
        assertThat(begun).hasSize(6);
    }

    @Test
    void aPermitOfARateStartsNoHotLoop() {
        scheduleFiveOfAnUnknownTenant(
                queue -> queue.rateLimit(RateLimit.perSecond(1).burst(4)));
        assertThat(mostReadsAtOnce).isLessThan(10);
        assertThat(begun).hasSize(6);
    }

    @Test
    void thePermitGoesToAnotherTenantAtOnce() {
        Instant dueAt = scheduleFiveOfAnUnknownTenant(
                queue -> queue.concurrencyLimit(4),
                timer("known", "second", clock.now().plus(SECOND.multipliedBy(7))));
        assertThat(begun.get("known second")).isEqualTo(dueAt);
    }
}
