package dev.duetime.spring.internal.handler;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.ApplicationEventPublisher;

/**
 * A publisher that publishes each envelope as an event of the application. If a listener throws, that timer has failed
 * and is retried for all listeners. Thread-safe.
 */
public final class EventPublisher implements Publisher {
    private static final Duration TO_THE_NEXT_OWNER = Duration.ofMillis(1);

    /** The engine ends a timer that has expired while listeners got others of its batch. */
    private static final Duration UNTIL_EXPIRED = Duration.ofMillis(1);

    private final ApplicationEventPublisher events;

    public EventPublisher(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public void publish(List<Envelope> batch) throws PartialPublishException {
        UserCode userCode = UserCode.ofThisThread();
        Map<String, Throwable> failures = new HashMap<>();
        boolean interrupted = false;
        for (Envelope envelope : batch) {
            if (interrupted || userCode.isClosing()) {
                failures.put(envelope.id(), new PostponedException(TO_THE_NEXT_OWNER));
                continue;
            }
            if (userCode.isAfter(envelope.expiresAt())) {
                failures.put(envelope.id(), new PostponedException(UNTIL_EXPIRED));
                continue;
            }
            UserCode.Answer<Boolean> answer = userCode.run(() -> events.publishEvent(envelope));
            interrupted = answer.isInterrupted();
            Throwable error = answer.error();
            if (error != null) {
                failures.put(envelope.id(), failure(error, interrupted));
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    private static RuntimeException failure(Throwable error, boolean interrupted) {
        if (error instanceof PostponedException postponed) {
            return postponed;
        }
        return interrupted ? new PostponedException(TO_THE_NEXT_OWNER) : new HandlerException(error);
    }
}
