package dev.duetime.engine.report;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.UserCode;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.listener.TimerListener;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listeners of a node. Their exceptions do not reach the engine. Thread-safe. */
public final class Listeners implements NodeListener {
    private final List<TimerListener> listeners;
    private final String suffix;
    private final List<GuardedListener> timerListeners;
    private final List<GuardedListener> nodeListeners;
    private final boolean wantEachExpired;
    private final Map<String, Availability> availabilities = new ConcurrentHashMap<>();

    /** Creates listeners that are called in this order. */
    public Listeners(List<TimerListener> listeners) {
        this(listeners, "");
    }

    private Listeners(List<TimerListener> listeners, String suffix) {
        this.listeners = List.copyOf(listeners);
        this.suffix = suffix;
        timerListeners = listeners.stream().map(GuardedListener::new).toList();
        wantEachExpired = timerListeners.stream().anyMatch(GuardedListener::wantsEachExpired);
        nodeListeners =
                timerListeners.stream().filter(GuardedListener::isOfNode).toList();
    }

    /**
     * Returns the same listeners for one of several hosts: outages with its name, shards and samples summed up over all
     * hosts.
     */
    public Listeners ofHost(String host, List<HostListener.Sums> sums) {
        List<TimerListener> wrapped = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            TimerListener each = listeners.get(i);
            wrapped.add(each instanceof NodeListener node ? new HostListener(host, node, sums.get(i)) : each);
        }
        return new Listeners(wrapped, " of host " + host);
    }

    /** Returns storage for the sums of each listener. */
    public List<HostListener.Sums> sums() {
        return listeners.stream().map(each -> new HostListener.Sums()).toList();
    }

    /** Returns whether a listener wants samples. */
    public boolean wantSamples() {
        return !nodeListeners.isEmpty();
    }

    /** Returns the availability that all loops of the node which need the same thing report to. */
    public Availability availability(String what) {
        return availabilities.computeIfAbsent(what, name -> new Availability(name + suffix, this));
    }

    @Override
    public void scheduled(ScheduleResult result, TimerContent content) {
        notifyEach("scheduled", each -> each.scheduled(result, content));
    }

    @Override
    public void delivered(Envelope envelope) {
        tellHere("delivered", each -> each.delivered(envelope));
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        in(LogContext.of(envelope), () -> {
            TimerLog.failed(envelope, error, retryAt);
            tellHere("failed", each -> each.failed(envelope, error, retryAt));
        });
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), content.queue(), content.correlationId()), () -> {
            TimerLog.expired(timer, reason);
            tellHere("expired", each -> each.expired(timer, reason));
        });
    }

    /** Returns whether a listener wants to be called for each timer that expires. */
    @Override
    public boolean wantsEachExpired() {
        return wantEachExpired || TimerLog.tellsEachExpired();
    }

    @Override
    public void expired(String queue, String type, int count) {
        tellHere("expired without being read", each -> each.expired(queue, type, count));
    }

    @Override
    public void passedOver(StoredTimer timer, @Nullable Instant next) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), content.queue(), content.correlationId()), () -> {
            TimerLog.passedOver(timer, next);
            tellHere("passedOver", each -> each.passedOver(timer, next));
        });
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        notifyEach("rejected", each -> each.rejected(timer, expiresAt));
    }

    @Override
    public void dead(DeadTimer timer) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), timer.queue(), content == null ? null : content.correlationId()), () -> {
            TimerLog.dead(timer);
            tellHere("dead", each -> each.dead(timer));
        });
    }

    @Override
    public void cancelled(TimerKey key, CancelResult result) {
        notifyEach("cancelled", each -> each.cancelled(key, result));
    }

    @Override
    public void cancelled(TimerQuery query, int count) {
        notifyEach("cancelled by query", each -> each.cancelled(query, count));
    }

    @Override
    public void overtaken(String queue, int count) {
        tellHere("overtaken", each -> each.overtaken(queue, count));
    }

    @Override
    public void advanced(StoredTimer todo, StoredTimer next) {
        tellHere("advanced", each -> each.advanced(todo, next));
    }

    @Override
    public void tookTooLong(StoredTimer todo, Duration limit) {
        TimerLog.tookTooLong(todo, limit);
        tellHere("tookTooLong", each -> each.tookTooLong(todo, limit));
    }

    @Override
    public void polled(PolledBatch batch) {
        tellOfNode("polled", each -> each.polled(batch));
    }

    @Override
    public void shardsAcquired(String queue, int count, int owned) {
        tellOfNode("shardsAcquired", each -> each.shardsAcquired(queue, count, owned));
    }

    @Override
    public void shardsReleased(String queue, int count, int owned) {
        tellOfNode("shardsReleased", each -> each.shardsReleased(queue, count, owned));
    }

    @Override
    public void shardsLost(String queue, int count, int owned) {
        tellOfNode("shardsLost", each -> each.shardsLost(queue, count, owned));
    }

    @Override
    public void paused(String queue, boolean isPaused) {
        tellOfNode("paused", each -> each.paused(queue, isPaused));
    }

    @Override
    public void outageBegan(String what, Throwable cause) {
        tellOfNode("outageBegan", each -> each.outageBegan(what, cause));
    }

    @Override
    public void outageOver(String what, Duration lasted) {
        tellOfNode("outageOver", each -> each.outageOver(what, lasted));
    }

    @Override
    public void sampled(QueueSample sample) {
        tellOfNode("sampled", each -> each.sampled(sample));
    }

    @Override
    public void todoFailed(ListKey key, Instant now, Throwable error) {
        tellOfNode("todoFailed", each -> each.todoFailed(key, now, error));
    }

    @Override
    public void sweptTodos(ListSweep sweep) {
        tellOfNode("sweptTodos", each -> each.sweptTodos(sweep));
    }

    /**
     * Calls a listener on any thread. If it is a caller's thread, its interrupt flag is a matter of caller and
     * listener.
     */
    private void notifyEach(String event, Consumer<TimerListener> call) {
        timerListeners.forEach(each -> each.call(event, call));
    }

    /** Calls a listener on a thread of the engine, which calls the store next. */
    private void tellHere(String event, Consumer<TimerListener> call) {
        notifyEach(event, call);
        UserCode.clearInterrupt();
    }

    private void tellOfNode(String event, Consumer<NodeListener> call) {
        nodeListeners.forEach(each -> each.tellOfNode(event, call));
        UserCode.clearInterrupt();
    }

    private static void in(LogContext context, Runnable event) {
        try {
            event.run();
        } finally {
            context.close();
        }
    }
}
