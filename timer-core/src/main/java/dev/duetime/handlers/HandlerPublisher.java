package dev.duetime.handlers;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.UnknownTypeException;
import dev.duetime.handlers.Handlers.Handler;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.internal.inside.KnownTypes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A publisher that passes the timers of one queue to the handlers of their types, one after the other. When the
 * scheduler closes, the handled timers are settled, and the others are left to the next owner. Thread-safe if the
 * handlers are.
 */
final class HandlerPublisher implements Publisher, KnownTypes {
    /** A timer that has not begun can go to the next owner as soon as this node has released its shards. */
    private static final Duration TO_THE_NEXT_OWNER = Duration.ofMillis(1);

    /** The engine ends a timer that has expired while others of its batch were handled. */
    private static final Duration UNTIL_EXPIRED = Duration.ofMillis(1);

    private final Map<String, Handler> handlers;

    HandlerPublisher(Map<String, Handler> handlers) {
        this.handlers = new TreeMap<>(handlers);
    }

    @Override
    public void check(String type) {
        if (!handlers.containsKey(type)) {
            throw new UnknownTypeException(type, handlers.keySet());
        }
    }

    @Override
    public void publish(List<Envelope> batch) throws PartialPublishException {
        UserCode userCode = UserCode.ofThisThread();
        Map<String, Throwable> failures = new HashMap<>();
        boolean interrupted = false;
        for (Envelope envelope : batch) {
            Handler handler = handlers.get(envelope.type());
            if (interrupted || userCode.isClosing()) {
                failures.put(envelope.id(), new PostponedException(TO_THE_NEXT_OWNER));
            } else if (userCode.isAfter(envelope.expiresAt())) {
                failures.put(envelope.id(), new PostponedException(UNTIL_EXPIRED));
            } else if (handler == null) {
                failures.put(envelope.id(), new UnknownTypeException(envelope.type(), handlers.keySet()));
            } else {
                interrupted = handle(envelope, handler, userCode, failures);
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    /**
     * Calls a handler. A failure is not an outage. It costs this timer an attempt, even if the batch has no other
     * timer. The other timers of the batch are still handled. Returns whether the call was interrupted, because the
     * scheduler closes.
     */
    private static boolean handle(
            Envelope envelope, Handler handler, UserCode userCode, Map<String, Throwable> failures) {
        Answer<Boolean> answer = userCode.run(() -> handler.handle(envelope));
        Throwable error = answer.error();
        if (error instanceof PostponedException) {
            failures.put(envelope.id(), error);
        } else if (error != null && answer.isInterrupted()) {
            failures.put(envelope.id(), new PostponedException(TO_THE_NEXT_OWNER));
        } else if (error != null) {
            failures.put(envelope.id(), new HandlerException(error));
        }
        return answer.isInterrupted();
    }
}
