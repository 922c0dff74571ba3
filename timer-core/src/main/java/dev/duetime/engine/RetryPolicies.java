package dev.duetime.engine;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.RetryPolicy;
import java.time.Duration;
import java.util.Map;

/**
 * Knows when a failed delivery of a queue is tried again: the type knows best, then the queue.
 *
 * @param standard for types that have no policy of their own
 * @param byType for those that have one
 * @param unknownTypesFor how long what has an unknown type or step is put off
 */
public record RetryPolicies(RetryPolicy standard, Map<String, RetryPolicy> byType, Duration unknownTypesFor) {

    /** Copies the policies. */
    public RetryPolicies {
        byType = Map.copyOf(byType);
    }

    /** Returns whether the envelope is never retried after this. A partial failure names others: its cause is not this one's. */
    boolean isHopeless(Envelope envelope, Throwable error) {
        return !(error instanceof PartialPublishException)
                && of(envelope.type()).isHopeless(error);
    }

    /** Returns whether the error is believed even if nothing else gets through: it is no sign of an outage. */
    boolean speaksForItself(Envelope envelope, Throwable error) {
        return error instanceof HandlerException
                || error instanceof PostponedException
                || UnknownTypes.isOne(error)
                || isHopeless(envelope, error);
    }

    RetryPolicy of(String type) {
        return byType.getOrDefault(type, standard);
    }
}
