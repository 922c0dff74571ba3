package dev.duetime.engine.report;

import dev.duetime.internal.UserCode;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.TimerListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener of the user's, guarded: an exception is logged once for each of its methods. Thread-safe. */
final class GuardedListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final TimerListener listener;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    GuardedListener(TimerListener listener) {
        this.listener = listener;
    }

    boolean isOfNode() {
        return listener instanceof NodeListener;
    }

    boolean wantsEachExpired() {
        AtomicBoolean wants = new AtomicBoolean(true);
        call("wantsEachExpired", each -> wants.set(each.wantsEachExpired()));
        return wants.get();
    }

    void call(String event, Consumer<TimerListener> call) {
        guarded(event, listener, call);
    }

    void tellOfNode(String event, Consumer<NodeListener> call) {
        guarded(event, (NodeListener) listener, call);
    }

    private <L extends TimerListener> void guarded(String event, L target, Consumer<L> call) {
        try {
            call.accept(target);
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            if (said.add(event)) {
                LOG.warn(
                        "listener {} failed in {}; this is logged once",
                        target.getClass().getName(),
                        event,
                        ErrorText.traceOf(e));
            }
        }
    }
}
