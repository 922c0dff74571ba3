package dev.duetime.specification.delivery;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.listener.TimerListener;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A queue with backlogs of large tenants, whose publisher notes how late each timer is published. */
final class TenantLateness implements AutoCloseable {
    static final int BATCH = 10;

    /** A timer that was published. */
    record Published(String tenant, Instant dueAt, Instant at) {
        Duration lateness() {
            return Duration.between(dueAt, at);
        }
    }

    final List<Published> published = new ArrayList<>();
    private final Duration aCall;
    private final TimerKit kit;
    private Consumer<Instant> afterCall = now -> {};
    private int calls;

    TenantLateness(int concurrency, Duration aCall) {
        this(concurrency, aCall, new PassThroughStore(new InMemoryScheduleStore(new TestClock())));
    }

    TenantLateness(int concurrency, Duration aCall, PassThroughStore store) {
        this(concurrency, aCall, store, new TimerListener() {});
    }

    TenantLateness(int concurrency, Duration aCall, PassThroughStore store, TimerListener listener) {
        this.aCall = aCall;
        kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler
                        .batchSize(BATCH)
                        .shards(4)
                        .concurrency(concurrency)
                        .listener(listener)
                        .publisher(this::publish))
                .build();
    }

    private void publish(List<Envelope> batch) {
        Instant at = kit.now();
        batch.forEach(each ->
                published.add(new Published(each.key().tenantId(), each.event().dueAt(), at)));
        calls++;
        kit.clock().linger(aCall);
        afterCall.accept(kit.now());
    }

    TimerKit kit() {
        return kit;
    }

    /** Sets what happens at the end of each call, before it returns. */
    void afterEachCall(Consumer<Instant> action) {
        afterCall = action;
    }

    /** Schedules timers of a large tenant that were due an hour ago, a millisecond apart. */
    void backlog(String tenant, int from, int count) {
        Instant first = kit.now().minus(Duration.ofHours(1)).plusMillis(from);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.at(TimerKey.of(tenant, "t" + i), first.plusMillis(i))
                                .build())
                        .toList());
    }

    void schedule(String tenant, int number, Instant dueAt) {
        kit.scheduler()
                .schedule(Timer.at(TimerKey.of(tenant, "t" + number), dueAt).build());
    }

    /** Forgets what was published. */
    void forget() {
        published.clear();
        calls = 0;
    }

    List<Duration> latenessOf(String prefix) {
        return published.stream()
                .filter(each -> each.tenant().startsWith(prefix))
                .map(Published::lateness)
                .toList();
    }

    double timersPerCall() {
        return (double) published.size() / calls;
    }

    @Override
    public void close() {
        kit.close();
    }
}
