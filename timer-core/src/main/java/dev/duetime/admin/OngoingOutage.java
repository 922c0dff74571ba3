package dev.duetime.admin;

import dev.duetime.StoreException;
import java.time.Instant;

/**
 * Tells that a database or a publisher has been failing. Immutable and thread-safe.
 *
 * @param since when the first of the failures in a row happened
 * @param error what the last one was, without any value: the message of a {@link StoreException}, or else only the
 *     classes of the error and its causes, and the place where it was thrown
 */
public record OngoingOutage(Instant since, String error) {}
