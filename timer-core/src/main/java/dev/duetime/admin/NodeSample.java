package dev.duetime.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What one node delivered of a queue in the last 15 minutes, as the node itself counted it. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param nodeId the node
 * @param takenAt when the node wrote it, by the time of the database
 * @param inDelivery how many timers it was delivering
 * @param delivered how many it delivered in each {@link #SLOT}, oldest first, at most {@link #SLOTS}. Slots begin at
 *     multiples of their length since 1970; the last one holds {@code takenAt}, and is not over yet
 * @param lateness how many of the last five minutes were late by how much, from the least to the most. {@link
 *     QueueActivity#lateness} reads it
 */
public record NodeSample(
        String queue, String nodeId, Instant takenAt, int inDelivery, List<Integer> delivered, List<Integer> lateness) {
    /** The length of a slot. */
    public static final Duration SLOT = Duration.ofSeconds(15);

    /** How many slots there are. */
    public static final int SLOTS = 60;

    /** Copies the numbers. */
    public NodeSample {
        delivered = List.copyOf(delivered);
        lateness = List.copyOf(lateness);
    }

    /** Returns how many were delivered in a slot: 0 if the slot is not covered. */
    long delivered(long slot) {
        long last = slotOf(takenAt);
        long index = delivered.size() - 1 - (last - slot);
        return index < 0 || index >= delivered.size() ? 0 : delivered.get((int) index);
    }

    /** Returns the number of the slot that holds an instant. */
    static long slotOf(Instant instant) {
        return Math.floorDiv(instant.getEpochSecond(), SLOT.toSeconds());
    }
}
