package dev.duetime.engine.report;

import dev.duetime.internal.UserCode;
import dev.duetime.listener.TimerListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener of the user's, guarded: an exception is logged once for each of its methods. Thread-safe.
 *
 * @param <L> the kind of listener
 */
final class GuardedListener<L extends TimerListener> {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final L listener;
    private final String name;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * Creates the guard.
     *
     * @param name the name of the user's class
     */
    GuardedListener(L listener, String name) {
        this.listener = listener;
        this.name = name;
    }

    void call(String event, Consumer<? super L> call) {
        try {
            call.accept(listener);
        } catch (Throwable e) {
            UserCode.rethrowFatal(e);
            if (logged.add(event)) {
                LOG.warn("listener {} failed in {}; this is logged once", name, event, ErrorText.traceOf(e));
            }
        }
    }
}
