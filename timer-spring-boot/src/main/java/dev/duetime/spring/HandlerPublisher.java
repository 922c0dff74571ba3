package dev.duetime.spring;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.UnknownTypeException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A publisher that passes the timers of one queue to the handlers of their types, one after the other. When the
 * scheduler closes, the handled timers are settled, and the others are left to the next owner. Thread-safe if the
 * handlers are.
 */
final class HandlerPublisher implements Publisher {
    /** A timer that has not begun can go to the next owner as soon as this node has released its shards. */
    private static final Duration TO_THE_NEXT_OWNER = Duration.ofMillis(1);

    /** Bounds the search through causes, which may form a cycle. */
    private static final int DEEPEST = 20;

    private final Map<String, TimerHandler> handlers = new TreeMap<>();
    private final ClosingFlag closing;

    /**
     * Creates the publisher.
     *
     * @throws IllegalStateException if two handlers have the same type
     */
    HandlerPublisher(String queue, Collection<TimerHandler> all, ClosingFlag closing) {
        this.closing = closing;
        for (TimerHandler handler : all) {
            TimerHandler other = handlers.putIfAbsent(handler.type(), handler);
            if (other != null) {
                throw new IllegalStateException("timers of type %s on queue %s must have one handler but have %s and %s"
                        .formatted(handler.type(), queue, name(other), name(handler)));
            }
        }
    }

    private static String name(TimerHandler handler) {
        return handler.getClass().getName();
    }

    @Override
    public void publish(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failures = new HashMap<>();
        boolean interrupted = false;
        for (Envelope envelope : batch) {
            TimerHandler handler = handlers.get(envelope.type());
            if (interrupted || closing.isRaised()) {
                failures.put(envelope.id(), new PostponedException(TO_THE_NEXT_OWNER));
            } else if (handler == null) {
                failures.put(envelope.id(), new UnknownTypeException(envelope.type(), handlers.keySet()));
            } else {
                interrupted = handle(envelope, handler, failures);
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
    private boolean handle(Envelope envelope, TimerHandler handler, Map<String, Throwable> failures) {
        Answer<Boolean> answer = UserCode.ofThisThread().run(() -> handler.handle(envelope));
        Throwable error = answer.error();
        if (error instanceof PostponedException) {
            failures.put(envelope.id(), error);
        } else if (error != null && (answer.isInterrupted() || (closing.isRaised() && isInterrupt(error)))) {
            failures.put(envelope.id(), new PostponedException(TO_THE_NEXT_OWNER));
        } else if (error != null) {
            failures.put(envelope.id(), new HandlerException(error));
        }
        return answer.isInterrupted();
    }

    private static boolean isInterrupt(Throwable error) {
        Throwable cause = error;
        for (int i = 0; i < DEEPEST && cause != null; i++) {
            if (cause instanceof InterruptedException) {
                return true;
            }
            cause = Errors.cause(cause);
        }
        return false;
    }
}
