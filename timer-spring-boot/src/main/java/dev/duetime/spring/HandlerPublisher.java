package dev.duetime.spring;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.UnknownTypeException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Hands the timers of one queue to the handlers of their types, one after the other. Thread-safe if they are. */
final class HandlerPublisher implements Publisher {
    private final Map<String, TimerHandler> handlers = new TreeMap<>();

    /** @throws IllegalStateException if two handlers are of one type */
    HandlerPublisher(String queue, Collection<TimerHandler> all) {
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
    public void publish(List<Envelope> batch) throws PartialPublishException, InterruptedException {
        Map<String, Throwable> failures = new HashMap<>();
        for (Envelope envelope : batch) {
            TimerHandler handler = handlers.get(envelope.type());
            if (handler == null) {
                failures.put(envelope.id(), new UnknownTypeException(envelope.type(), handlers.keySet()));
            } else {
                handle(envelope, handler, failures);
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    private static void handle(Envelope envelope, TimerHandler handler, Map<String, Throwable> failures)
            throws InterruptedException {
        try {
            handler.handle(envelope);
        } catch (InterruptedException e) {
            throw e;
        } catch (PostponedException e) {
            failures.put(envelope.id(), e);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            // Not an outage: the others of the batch are handled, and this one spends an attempt even if it is alone.
            failures.put(envelope.id(), new HandlerException(e));
        }
    }
}
