package dev.duetime.metrics;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Limits;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listener that records what a scheduler does in a Micrometer registry:
 *
 * <pre>{@code
 * Scheduler.builder().listener(new TimerMetrics(registry))
 * }</pre>
 *
 * <p>The table in {@code docs/monitoring.md} lists the names of the meters and suggests alarms. There is one time
 * series for each queue, and for most counters one for each type in it. So keep the number of types small. After 300
 * types of a queue, further ones are counted as the type {@code other}. Thread-safe.
 */
public final class TimerMetrics implements NodeListener {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();
    private final OutageMeters outages;

    /**
     * Creates meters without additional tags.
     *
     * @throws IllegalArgumentException if {@code registry} is null
     */
    public TimerMetrics(MeterRegistry registry) {
        this(registry, List.of());
    }

    /**
     * Creates meters with additional tags, to distinguish several schedulers of one process.
     *
     * @throws IllegalArgumentException if {@code registry} or {@code tags} is null
     */
    public TimerMetrics(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = Limits.given("registry", registry);
        this.tags = Tags.of(Limits.given("tags", tags));
        this.outages = new OutageMeters(registry, this.tags);
    }

    @Override
    public void scheduled(ScheduleResult result, TimerContent content) {
        of(content.queue()).ofType(content.type()).scheduled(result.outcome());
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        of(timer.queue()).ofType(timer.type()).rejected();
    }

    @Override
    public void delivered(Envelope envelope) {
        QueueMeters queue = of(envelope.queue());
        queue.ofType(envelope.type()).delivered();
        queue.late(Duration.between(envelope.event().dueAt(), envelope.event().reachedAt()));
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        of(envelope.queue()).ofType(envelope.type()).failed(retryAt != null);
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        of(timer.content().queue()).ofType(timer.content().type()).expired(reason, 1);
    }

    /** Returns false: numbers are enough for counters. */
    @Override
    public boolean wantsEachExpired() {
        return false;
    }

    @Override
    public void expired(String queue, String type, int count) {
        of(queue).ofType(type).expired(ExpiryReason.DELIVERY_TOO_LATE, count);
    }

    @Override
    public void skipped(StoredTimer timer, @Nullable Instant next) {
        of(timer.content().queue()).skipped();
    }

    @Override
    public void dead(DeadTimer timer) {
        TimerContent content = timer.content();
        of(timer.queue())
                .ofType(content == null ? "unreadable" : content.type())
                .dead();
    }

    @Override
    public void cancelled(TimerKey key, CancelResult result) {
        cancellations(result).increment();
    }

    @Override
    public void cancelled(TimerQuery query, int count) {
        cancellations(CancelResult.CANCELLED).increment(count);
    }

    private Counter cancellations(CancelResult result) {
        return counter("duetime.timer.cancelled", tags.and("outcome", TypeMeters.tag(result)));
    }

    /** Returns a counter in a way that exists before Micrometer 1.16, too, unlike a registry's method for tags. */
    private Counter counter(String name, Tags all) {
        return Counter.builder(name).tags(all).register(registry);
    }

    @Override
    public void overtaken(String queue, int count) {
        of(queue).overtaken(count);
    }

    @Override
    public void advanced(StoredTimer todo, StoredTimer next) {
        todo("duetime.todo.advanced", todo.content());
    }

    @Override
    public void tookTooLong(StoredTimer todo, Duration limit) {
        todo("duetime.todo.overran", todo.content());
    }

    private void todo(String meter, TimerContent content) {
        counter(
                        meter,
                        tags.and(
                                "queue",
                                content.queue(),
                                "type",
                                of(content.queue()).counted(content.type())))
                .increment();
    }

    @Override
    public void polled(PolledBatch batch) {
        of(batch.queue()).polled(batch);
    }

    @Override
    public void shardsAcquired(String queue, int count, int owned) {
        of(queue).owns(owned);
    }

    @Override
    public void shardsReleased(String queue, int count, int owned) {
        of(queue).owns(owned);
    }

    @Override
    public void shardsLost(String queue, int count, int owned) {
        of(queue).lost(count, owned);
    }

    @Override
    public void paused(String queue, boolean isPaused) {
        of(queue).paused(isPaused);
    }

    @Override
    public void outageBegan(String what, Throwable cause) {
        outages.began(what);
    }

    @Override
    public void outageOver(String what, Duration lasted) {
        outages.over(what);
    }

    @Override
    public void sampled(QueueSample sample) {
        of(sample.queue()).sampled(sample);
    }

    @Override
    public void sweptTodos(ListSweep sweep) {
        todos(sweep.list(), "done", sweep.done());
        todos(sweep.list(), "not_yet", sweep.notYet());
        todos(sweep.list(), "failed", sweep.failed());
        todos(sweep.list(), "closed", sweep.closed());
    }

    private void todos(String list, String outcome, int count) {
        counter("duetime.todo.items", tags.and("list", list, "outcome", outcome))
                .increment(count);
    }

    private QueueMeters of(String queue) {
        QueueMeters known = queues.get(queue);
        return known != null
                ? known
                : queues.computeIfAbsent(queue, name -> new QueueMeters(registry, tags.and("queue", name)));
    }
}
