package dev.duetime.engine.settings;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.PostponedException;
import dev.duetime.UnknownTypeException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.RetryRule;
import java.time.Duration;
import java.util.Map;

/**
 * The retry policies of a queue. The policy of the type applies first, then that of the queue.
 *
 * @param standard for types without their own policy
 * @param byType for types with their own policy
 * @param unknownTypesFor how long timers of an unknown type or step wait for a node that knows it
 */
public record RetryPolicies(RetryRule standard, Map<String, RetryRule> byType, Duration unknownTypesFor) {
    private static final int MAX_CAUSES = 100;

    /** Copies the policies. */
    public RetryPolicies {
        byType = Map.copyOf(byType);
    }

    /**
     * Returns whether the envelope is never retried after this. A partial failure names others: its cause is not this
     * one's.
     */
    public boolean isHopeless(Envelope envelope, Throwable error) {
        return !(error instanceof PartialPublishException)
                && of(envelope.type()).isHopeless(error);
    }

    /** Returns whether the error counts even if nothing else gets through, because it is no sign of an outage. */
    public boolean speaksForItself(Envelope envelope, Throwable error) {
        return error instanceof HandlerException
                || error instanceof PostponedException
                || isUnknownType(error)
                || isHopeless(envelope, error);
    }

    public RetryRule of(String type) {
        return byType.getOrDefault(type, standard);
    }

    /** Returns whether the error, or one of its causes, is an unknown type or step. A partial failure names others. */
    public static boolean isUnknownType(Throwable error) {
        Throwable cause = error instanceof HandlerException handler ? handler.failure() : error;
        for (int i = 0; cause != null && i < MAX_CAUSES && !(cause instanceof PartialPublishException); i++) {
            if (cause instanceof UnknownTypeException) {
                return true;
            }
            cause = Errors.cause(cause);
        }
        return false;
    }
}
