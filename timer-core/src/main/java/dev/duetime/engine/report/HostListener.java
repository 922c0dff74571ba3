package dev.duetime.engine.report;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listener to one of several hosts. It passes events on, and sums up the shards and samples of a queue over all
 * hosts. Thread-safe.
 */
public final class HostListener implements NodeListener {
    private final String host;
    private final NodeListener listener;
    private final Sums sums;

    HostListener(String host, NodeListener listener, Sums sums) {
        this.host = host;
        this.listener = listener;
        this.sums = sums;
    }

    /** The last values that each host reported, for one listener. Thread-safe. */
    public static final class Sums {
        private final Map<String, Map<String, Integer>> owned = new ConcurrentHashMap<>();
        private final Map<String, Map<String, Boolean>> paused = new ConcurrentHashMap<>();
        private final Map<String, Map<String, QueueSample>> samples = new ConcurrentHashMap<>();

        int owned(String queue, String host, int count) {
            Map<String, Integer> ofQueue = owned.computeIfAbsent(queue, name -> new ConcurrentHashMap<>());
            ofQueue.put(host, count);
            return ofQueue.values().stream().mapToInt(each -> each).sum();
        }

        boolean paused(String queue, String host, boolean isPaused) {
            Map<String, Boolean> ofQueue = paused.computeIfAbsent(queue, name -> new ConcurrentHashMap<>());
            ofQueue.put(host, isPaused);
            return ofQueue.containsValue(true);
        }

        QueueSample sample(String host, QueueSample latest) {
            Map<String, QueueSample> ofQueue =
                    samples.computeIfAbsent(latest.queue(), name -> new ConcurrentHashMap<>());
            ofQueue.put(host, latest);
            return ofQueue.values().stream()
                    .reduce((one, other) -> new QueueSample(
                            one.queue(),
                            one.oldestDueAge().compareTo(other.oldestDueAge()) < 0
                                    ? other.oldestDueAge()
                                    : one.oldestDueAge(),
                            one.pending() + other.pending(),
                            one.inFlight() + other.inFlight(),
                            one.shardsOwned() + other.shardsOwned()))
                    .orElse(latest);
        }
    }

    @Override
    public void sampled(QueueSample sample) {
        sums.owned(sample.queue(), host, sample.shardsOwned());
        listener.sampled(sums.sample(host, sample));
    }

    @Override
    public void shardsAcquired(String queue, int count, int owned) {
        listener.shardsAcquired(queue, count, sums.owned(queue, host, owned));
    }

    @Override
    public void shardsReleased(String queue, int count, int owned) {
        listener.shardsReleased(queue, count, sums.owned(queue, host, owned));
    }

    @Override
    public void shardsLost(String queue, int count, int owned) {
        listener.shardsLost(queue, count, sums.owned(queue, host, owned));
    }

    /** A queue counts as paused while it is paused on any host. */
    @Override
    public void paused(String queue, boolean isPaused) {
        listener.paused(queue, sums.paused(queue, host, isPaused));
    }

    @Override
    public void outageBegan(String what, Throwable cause) {
        listener.outageBegan(what, cause);
    }

    @Override
    public void outageOver(String what, Duration lasted) {
        listener.outageOver(what, lasted);
    }

    @Override
    public void polled(PolledBatch batch) {
        listener.polled(batch);
    }

    @Override
    public void todoFailed(ListKey key, Instant now, Throwable error) {
        listener.todoFailed(key, now, error);
    }

    @Override
    public void sweptTodos(ListSweep sweep) {
        listener.sweptTodos(sweep);
    }

    @Override
    public void scheduled(ScheduleResult result, TimerContent content) {
        listener.scheduled(result, content);
    }

    @Override
    public void delivered(Envelope envelope) {
        listener.delivered(envelope);
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        listener.failed(envelope, error, retryAt);
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        listener.expired(timer, reason);
    }

    @Override
    public boolean wantsEachExpired() {
        return listener.wantsEachExpired();
    }

    @Override
    public void expired(String queue, String type, int count) {
        listener.expired(queue, type, count);
    }

    @Override
    public void passedOver(StoredTimer timer, @Nullable Instant next) {
        listener.passedOver(timer, next);
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        listener.rejected(timer, expiresAt);
    }

    @Override
    public void dead(DeadTimer timer) {
        listener.dead(timer);
    }

    @Override
    public void cancelled(TimerKey key, CancelResult result) {
        listener.cancelled(key, result);
    }

    @Override
    public void cancelled(TimerQuery query, int count) {
        listener.cancelled(query, count);
    }

    @Override
    public void overtaken(String queue, int count) {
        listener.overtaken(queue, count);
    }

    @Override
    public void advanced(StoredTimer todo, StoredTimer next) {
        listener.advanced(todo, next);
    }

    @Override
    public void tookTooLong(StoredTimer todo, Duration limit) {
        listener.tookTooLong(todo, limit);
    }
}
