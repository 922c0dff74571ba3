package dev.duetime.admin;

import java.time.Instant;

/**
 * The pause of a queue: nothing of it is delivered, on any node, until it is resumed. Immutable and thread-safe.
 *
 * @param since when it was paused, in whole microseconds
 * @param nodeId the node on which the operator paused it
 */
public record QueuePause(Instant since, String nodeId) {}
