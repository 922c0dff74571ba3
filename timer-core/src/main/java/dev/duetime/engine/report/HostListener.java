package dev.duetime.engine.report;

import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A listener to the node's events on one of several hosts. It passes events on, and sums up the shards and samples of a
 * queue over all hosts. It gets no events of timers. Thread-safe.
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
                            one.shardsOwned() + other.shardsOwned(),
                            one.awaitingPermits() + other.awaitingPermits()))
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
}
