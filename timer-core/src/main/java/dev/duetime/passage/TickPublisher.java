package dev.duetime.passage;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.TimerKey;
import dev.duetime.UnknownTypeException;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.internal.timer.DeclaredTimers;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher that passes ticks to their subscribers in the order of time. A subscriber that fails affects only its own
 * ticks. Thread-safe.
 */
final class TickPublisher implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(TickPublisher.class);

    /** How long a tick that this node does not know waits for one that does. */
    private static final Duration FOR_OTHERS = Duration.ofSeconds(5);

    /** How long a tick waits that close has kept from its subscriber: the next owner can have it at once. */
    private static final Duration TO_THE_NEXT_OWNER = Duration.ofMillis(1);

    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown;

    TickPublisher(Map<TimerKey, Tick> ticks, UnknownTicks unknown) {
        this.ticks = ticks;
        this.unknown = unknown;
    }

    @Override
    public void publish(List<Envelope> batch) throws PartialPublishException {
        Round round = new Round();
        List<Batch> published = new ArrayList<>();
        for (Envelope envelope : batch) {
            Tick tick = ticks.get(envelope.key());
            if (tick == null) {
                round.failures.put(envelope.id(), unknown(envelope));
            } else if (tick.action() instanceof Action.Handled handled) {
                round.call(() -> handle(handled, tick, envelope), List.of(envelope));
            } else if (tick.action() instanceof Action.Published publication) {
                List<Envelope> converted = Batch.of(publication.publisher(), published);
                round.call(() -> convert(tick, envelope, converted), List.of(envelope));
            }
        }
        for (Batch each : published) {
            if (!each.envelopes.isEmpty()) {
                round.call(() -> each.publisher.publish(each.envelopes), each.envelopes);
            }
        }
        if (!round.failures.isEmpty()) {
            throw new PartialPublishException(round.failures);
        }
    }

    /** The ticks of one publisher. */
    private record Batch(Publisher publisher, List<Envelope> envelopes) {

        /**
         * Returns the ticks of a publisher, and adds them if they are new. Its own methods may fail: none is called.
         */
        @SuppressWarnings("ReferenceEquality")
        static List<Envelope> of(Publisher publisher, List<Batch> all) {
            for (Batch each : all) {
                if (each.publisher == publisher) {
                    return each.envelopes;
                }
            }
            Batch added = new Batch(publisher, new ArrayList<>());
            all.add(added);
            return added.envelopes;
        }
    }

    /**
     * Another version may know a tick; if none does, {@link TickReconciler} ends it. No version knows another timer.
     */
    private Exception unknown(Envelope envelope) {
        if (!DeclaredTimers.isOne(envelope.key())) {
            return new UnknownTypeException(envelope.type(), Set.of());
        }
        if (unknown.note(envelope)) {
            LOG.info(
                    "tick {} is not known here and is left to nodes that know it; it is cancelled if none does",
                    envelope.key());
        }
        return new PostponedException(FOR_OTHERS);
    }

    private static void handle(Action.Handled action, Tick tick, Envelope envelope) throws Exception {
        TimeHasPassed event = tick.subscription().event(period(envelope));
        if (event != null) {
            action.handler().handle(event);
        }
    }

    private static void convert(Tick tick, Envelope envelope, List<Envelope> converted) {
        TimeHasPassed event = tick.subscription().event(period(envelope));
        if (event != null) {
            converted.add(withEvent(envelope, event));
        }
    }

    /** Returns what users are given: the event as payload. */
    private static Envelope withEvent(Envelope envelope, TimeHasPassed event) {
        DueTimeReached tick = envelope.event();
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
                envelope.id(),
                envelope.queue(),
                envelope.attempt(),
                envelope.priority(),
                envelope.headers(),
                envelope.parallelKey(),
                reached);
    }

    private static TimeHasPassed period(Envelope envelope) {
        DueTimeReached tick = envelope.event();
        Recurrence recurrence = Recurrence.parse(new String(tick.payload().bytes(), StandardCharsets.UTF_8));
        return TimeHasPassed.of(recurrence, tick.dueAt(), tick.previous());
    }

    /** The results of one batch. Used by one thread. */
    private static final class Round {
        final Map<String, Throwable> failures = new HashMap<>();
        private final UserCode userCode = UserCode.ofThisThread();
        private boolean interrupted;

        /**
         * Calls a subscriber, or the holidays of its ticks. After close has begun, calls no other: the next owner
         * delivers what is left. Ticks that were delivered before are not repeated.
         */
        void call(UserCode.Action subscriber, List<Envelope> envelopes) {
            if (interrupted || userCode.isClosing()) {
                postpone(envelopes);
                return;
            }
            Answer<Boolean> answer = userCode.run(subscriber);
            interrupted = answer.isInterrupted();
            Throwable error = answer.error();
            if (error == null) {
                return;
            }
            if (error instanceof PartialPublishException partial && isAbout(envelopes, partial)) {
                named(envelopes, partial);
            } else if (interrupted) {
                postpone(envelopes);
            } else {
                envelopes.forEach(each -> failures.put(each.id(), ofSubscriber(error)));
            }
        }

        /** A subscriber may postpone a tick, which is no failure. */
        private static Throwable ofSubscriber(Throwable error) {
            return error instanceof PostponedException ? error : new HandlerException(error);
        }

        /** If the ids belong to other envelopes, the publisher is wrong, and nothing is known of any of these. */
        private static boolean isAbout(List<Envelope> envelopes, PartialPublishException partial) {
            Set<String> known = envelopes.stream().map(Envelope::id).collect(Collectors.toSet());
            return known.containsAll(partial.failures().keySet());
        }

        private void named(List<Envelope> envelopes, PartialPublishException partial) {
            if (interrupted) {
                Set<String> named = partial.failures().keySet();
                postpone(envelopes.stream()
                        .filter(each -> named.contains(each.id()))
                        .toList());
            } else {
                partial.failures().forEach((id, failure) -> failures.put(id, ofSubscriber(failure)));
            }
        }

        private void postpone(List<Envelope> envelopes) {
            envelopes.forEach(each -> failures.put(each.id(), new PostponedException(TO_THE_NEXT_OWNER)));
        }
    }
}
