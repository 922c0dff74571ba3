package dev.duetime.passage;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.TimerKey;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands ticks to their subscribers, each in the order of time, and tells what became of each by itself. Thread-safe. */
final class TickPublisher implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(TickPublisher.class);

    /** How long a tick that this node does not know waits for one that does. */
    private static final Duration FOR_OTHERS = Duration.ofSeconds(5);

    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown;

    TickPublisher(Map<TimerKey, Tick> ticks, UnknownTicks unknown) {
        this.ticks = ticks;
        this.unknown = unknown;
    }

    @Override
    public void publish(List<Envelope> batch) throws PartialPublishException, InterruptedException {
        Map<String, Throwable> failures = new HashMap<>();
        Map<Publisher, List<Envelope>> published = new LinkedHashMap<>();
        for (Envelope envelope : batch) {
            Tick tick = ticks.get(envelope.key());
            if (tick == null) {
                failures.put(envelope.id(), leftToOthers(envelope));
            } else if (tick.action() instanceof Action.Handled handled) {
                handle(envelope, handled, failures);
            } else if (tick.action() instanceof Action.Published publication) {
                convert(
                        envelope,
                        published.computeIfAbsent(publication.publisher(), unused -> new ArrayList<>()),
                        failures);
            }
        }
        for (Map.Entry<Publisher, List<Envelope>> each : published.entrySet()) {
            if (!each.getValue().isEmpty()) {
                publish(each.getKey(), each.getValue(), failures);
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    /** Another version may know it; if none does, {@link TickReconciler} ends it. */
    private PostponedException leftToOthers(Envelope envelope) {
        if (unknown.note(envelope)) {
            LOG.info(
                    "tick {} is not known here and is left to nodes that know it; it is cancelled if none does",
                    envelope.key());
        }
        return new PostponedException(FOR_OTHERS);
    }

    private static void handle(Envelope envelope, Action.Handled handled, Map<String, Throwable> failures)
            throws InterruptedException {
        note(UserCode.ofThisThread().run(() -> handled.handler().handle(event(envelope))), List.of(envelope), failures);
    }

    private static void convert(Envelope envelope, List<Envelope> converted, Map<String, Throwable> failures) {
        try {
            converted.add(withEvent(envelope));
        } catch (Exception | Error e) {
            UserCode.rethrowFatal(e);
            failed(List.of(envelope), e, failures);
        }
    }

    private static void publish(Publisher publisher, List<Envelope> envelopes, Map<String, Throwable> failures)
            throws InterruptedException {
        note(UserCode.ofThisThread().run(() -> publisher.publish(envelopes)), envelopes, failures);
    }

    private static void note(Answer<Boolean> answer, List<Envelope> envelopes, Map<String, Throwable> failures)
            throws InterruptedException {
        Throwable error = answer.error();
        if (answer.isInterrupted()) {
            throw new InterruptedException("the node is being closed");
        }
        if (error instanceof PartialPublishException partial) {
            partial(envelopes, partial, failures);
        } else if (error != null) {
            failed(envelopes, error, failures);
        }
    }

    /** Ids that are not of this publisher's envelopes are some mistake of its own: then nothing is known of any of them. */
    private static void partial(
            List<Envelope> envelopes, PartialPublishException partial, Map<String, Throwable> failures) {
        Map<String, Throwable> named = partial.failures();
        Set<String> known = envelopes.stream().map(Envelope::id).collect(Collectors.toSet());
        if (known.containsAll(named.keySet())) {
            named.forEach((id, failure) -> failures.put(id, new HandlerException(failure)));
        } else {
            failed(envelopes, partial, failures);
        }
    }

    /** Notes what went wrong; if it got out, what others did with the same batch would be done again. */
    private static void failed(List<Envelope> envelopes, Throwable error, Map<String, Throwable> failures) {
        envelopes.forEach(each -> failures.put(each.id(), new HandlerException(error)));
    }

    /** Returns what users are given: the event as payload. */
    private static Envelope withEvent(Envelope envelope) {
        DueTimeReached tick = envelope.event();
        TimeHasPassed event = event(envelope);
        Payload payload = Payload.of(event.toJson().getBytes(StandardCharsets.UTF_8));
        DueTimeReached reached = new DueTimeReached(
                tick.key(),
                event.type(),
                tick.dueAt(),
                tick.reachedAt(),
                tick.previous(),
                tick.correlationId(),
                payload);
        return new Envelope(
                envelope.id(), envelope.queue(), envelope.attempt(), envelope.priority(), envelope.headers(), reached);
    }

    private static TimeHasPassed event(Envelope envelope) {
        DueTimeReached tick = envelope.event();
        Recurrence recurrence = Recurrence.parse(new String(tick.payload().bytes(), StandardCharsets.UTF_8));
        return TimeHasPassed.of(recurrence, tick.dueAt(), tick.previous());
    }
}
