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
import dev.duetime.listener.OperatorAction;
import dev.duetime.listener.OperatorListener;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listeners of a node. Their exceptions do not reach the engine. Thread-safe. */
public final class Listeners implements NodeListener, OperatorListener {
    private final List<TimerListener> listeners;
    private final String suffix;
    private final List<GuardedListener<TimerListener>> timerListeners = new ArrayList<>();
    private final List<GuardedListener<NodeListener>> nodeListeners = new ArrayList<>();
    private final List<GuardedListener<OperatorListener>> operatorListeners = new ArrayList<>();
    private final boolean wantEachExpired;
    private final boolean wantSamples;
    private final FailureLog failures = new FailureLog();
    private final Map<String, Availability> availabilities = new ConcurrentHashMap<>();

    /** Creates listeners that are called in this order. */
    public Listeners(List<TimerListener> listeners) {
        this(listeners, "", (listener, index) -> listener);
    }

    private Listeners(
            List<TimerListener> given, String suffix, BiFunction<NodeListener, Integer, NodeListener> ofNode) {
        this.listeners = List.copyOf(given);
        this.suffix = suffix;
        for (int i = 0; i < listeners.size(); i++) {
            TimerListener each = listeners.get(i);
            String name = each.getClass().getName();
            timerListeners.add(new GuardedListener<>(each, name));
            if (each instanceof OperatorListener operator) {
                operatorListeners.add(new GuardedListener<>(operator, name));
            }
            if (each instanceof NodeListener node) {
                nodeListeners.add(new GuardedListener<>(ofNode.apply(node, i), name));
            }
        }
        wantSamples = listeners.stream().anyMatch(Listeners::wantsSamples);
        wantEachExpired = timerListeners.stream().anyMatch(Listeners::wantsEachExpired);
    }

    private static boolean wantsSamples(TimerListener listener) {
        try {
            return listener instanceof NodeListener
                    && listener.getClass()
                                    .getMethod("sampled", QueueSample.class)
                                    .getDeclaringClass()
                            != NodeListener.class;
        } catch (NoSuchMethodException e) {
            // A native image contains only registered methods.
            return true;
        }
    }

    private static boolean wantsEachExpired(GuardedListener<TimerListener> listener) {
        AtomicBoolean wants = new AtomicBoolean(true);
        listener.call("wantsEachExpired", each -> wants.set(each.wantsEachExpired()));
        return wants.get();
    }

    /**
     * Returns the same listeners for one of several hosts: outages with its name, shards and samples summed up over all
     * hosts.
     */
    public Listeners ofHost(String host, List<HostListener.Sums> sums) {
        return new Listeners(
                listeners, " of host " + host, (node, index) -> new HostListener(host, node, sums.get(index)));
    }

    /** Returns storage for the sums of each listener. */
    public List<HostListener.Sums> sums() {
        return listeners.stream().map(each -> new HostListener.Sums()).toList();
    }

    /** Returns whether a listener wants samples. */
    public boolean wantSamples() {
        return wantSamples;
    }

    /** Returns the availability that all loops of the node which need the same thing report to. */
    public Availability availability(String what) {
        return availabilities.computeIfAbsent(what, name -> new Availability(name + suffix, this));
    }

    @Override
    public void scheduled(ScheduleResult result, TimerContent content) {
        notifyOnAnyThread("scheduled", each -> each.scheduled(result, content));
    }

    @Override
    public void delivered(Envelope envelope) {
        notifyListeners("delivered", each -> each.delivered(envelope));
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        in(LogContext.of(envelope), () -> {
            failures.failed(envelope, error, retryAt);
            TimerLog.failed(envelope, error, retryAt);
            notifyListeners("failed", each -> each.failed(envelope, error, retryAt));
        });
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), content.queue(), content.correlationId()), () -> {
            TimerLog.expired(timer, reason);
            notifyListeners("expired", each -> each.expired(timer, reason));
        });
    }

    /** Returns whether a listener wants to be called for each timer that expires. */
    @Override
    public boolean wantsEachExpired() {
        return wantEachExpired || TimerLog.logsEachExpired();
    }

    @Override
    public void expired(String queue, String type, int count) {
        notifyListeners("expired without being read", each -> each.expired(queue, type, count));
    }

    @Override
    public void skipped(StoredTimer timer, @Nullable Instant next) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), content.queue(), content.correlationId()), () -> {
            TimerLog.skipped(timer, next);
            notifyListeners("skipped", each -> each.skipped(timer, next));
        });
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        notifyOnAnyThread("rejected", each -> each.rejected(timer, expiresAt));
    }

    @Override
    public void dead(DeadTimer timer) {
        TimerContent content = timer.content();
        in(LogContext.of(timer.key(), timer.queue(), content == null ? null : content.correlationId()), () -> {
            TimerLog.dead(timer);
            notifyListeners("dead", each -> each.dead(timer));
        });
    }

    @Override
    public void cancelled(TimerKey key, CancelResult result) {
        notifyOnAnyThread("cancelled", each -> each.cancelled(key, result));
    }

    @Override
    public void cancelled(TimerQuery query, int count) {
        notifyOnAnyThread("cancelled by query", each -> each.cancelled(query, count));
    }

    @Override
    public void overtaken(String queue, int count) {
        notifyListeners("overtaken", each -> each.overtaken(queue, count));
    }

    @Override
    public void advanced(StoredTimer todo, StoredTimer next) {
        notifyListeners("advanced", each -> each.advanced(todo, next));
    }

    @Override
    public void tookTooLong(StoredTimer todo, Duration limit) {
        TimerLog.tookTooLong(todo, limit);
        notifyListeners("tookTooLong", each -> each.tookTooLong(todo, limit));
    }

    @Override
    public void polled(PolledBatch batch) {
        notifyNodeListeners("polled", each -> each.polled(batch));
    }

    @Override
    public void shardsAcquired(String queue, int count, int owned) {
        notifyNodeListeners("shardsAcquired", each -> each.shardsAcquired(queue, count, owned));
    }

    @Override
    public void shardsReleased(String queue, int count, int owned) {
        notifyNodeListeners("shardsReleased", each -> each.shardsReleased(queue, count, owned));
    }

    @Override
    public void shardsLost(String queue, int count, int owned) {
        notifyNodeListeners("shardsLost", each -> each.shardsLost(queue, count, owned));
    }

    @Override
    public void paused(String queue, boolean isPaused) {
        notifyNodeOnAnyThread("paused", each -> each.paused(queue, isPaused));
    }

    @Override
    public void outageBegan(String what, Throwable cause) {
        notifyNodeOnAnyThread("outageBegan", each -> each.outageBegan(what, cause));
    }

    @Override
    public void outageOver(String what, Duration lasted) {
        notifyNodeOnAnyThread("outageOver", each -> each.outageOver(what, lasted));
    }

    @Override
    public void sampled(QueueSample sample) {
        notifyNodeListeners("sampled", each -> each.sampled(sample));
    }

    @Override
    public void todoFailed(ListKey key, Instant now, Throwable error) {
        notifyNodeOnAnyThread("todoFailed", each -> each.todoFailed(key, now, error));
    }

    @Override
    public void sweptTodos(ListSweep sweep) {
        notifyNodeOnAnyThread("sweptTodos", each -> each.sweptTodos(sweep));
    }

    /**
     * Calls a listener on any thread. If it is a caller's thread, its interrupt flag is a matter of caller and
     * listener.
     */
    private void notifyOnAnyThread(String event, Consumer<TimerListener> call) {
        timerListeners.forEach(each -> each.call(event, call));
        UserCode.clearInterruptOfEngine();
    }

    @Override
    public void operated(OperatorAction action) {
        TimerLog.operated(action);
        operatorListeners.forEach(each -> each.call("operated", listener -> listener.operated(action)));
    }

    /** Calls a listener on a thread of the engine, which calls the store next. */
    private void notifyListeners(String event, Consumer<TimerListener> call) {
        notifyOnAnyThread(event, call);
        UserCode.clearInterrupt();
    }

    private void notifyNodeListeners(String event, Consumer<NodeListener> call) {
        notifyNodeOnAnyThread(event, call);
        UserCode.clearInterrupt();
    }

    /** Calls a listener on any thread. A loop that may call the store next clears the interrupt flag itself. */
    private void notifyNodeOnAnyThread(String event, Consumer<NodeListener> call) {
        nodeListeners.forEach(each -> each.call(event, call));
        UserCode.clearInterruptOfEngine();
    }

    private static void in(LogContext context, Runnable event) {
        try {
            event.run();
        } finally {
            context.close();
        }
    }
}
