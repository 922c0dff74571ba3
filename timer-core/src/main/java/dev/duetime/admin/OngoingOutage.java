package dev.duetime.admin;

import dev.duetime.StoreException;
import java.time.Instant;

/**
 * An outage of a database or a publisher that has not ended. Immutable and thread-safe.
 *
 * @param since when the first of the consecutive failures happened
 * @param error the last failure, without any stored value: the message of a {@link StoreException}, or else only the
 *     classes of the error and its causes, and the place where it was thrown
 */
public record OngoingOutage(Instant since, String error) {}
