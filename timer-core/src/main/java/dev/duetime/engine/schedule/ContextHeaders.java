package dev.duetime.engine.schedule;

import dev.duetime.Propagation;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.NewTimer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The headers that carry the calling thread's context with the timers that it schedules. If the propagation fails, the
 * timers are scheduled without them. Thread-safe.
 */
public final class ContextHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(ContextHeaders.class);

    private final Propagation propagation;
    private final AtomicBoolean logged = new AtomicBoolean();

    public ContextHeaders(Propagation propagation) {
        this.propagation = propagation;
    }

    public List<NewTimer> addTo(List<NewTimer> timers) {
        Map<String, String> context = new HashMap<>();
        try {
            propagation.inject(context);
            return context.isEmpty()
                    ? timers
                    : timers.stream()
                            .map(each -> each.withContent(TimerContents.withMoreHeaders(each.content(), context)))
                            .toList();
        } catch (Throwable e) { // A user's function may throw exceptions that it does not declare.
            UserCode.rethrowFatal(e);
            if (logged.compareAndSet(false, true)) {
                LOG.warn(
                        "timers are scheduled without headers of the caller's context; this is logged once",
                        ErrorText.traceOf(e));
            }
            return timers;
        } finally {
            UserCode.clearInterruptOfEngine(); // The store is called next.
        }
    }
}
