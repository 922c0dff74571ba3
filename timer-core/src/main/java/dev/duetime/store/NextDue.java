package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.admin.QueuePause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The next event that the loop of a queue waits for.
 *
 * @param wakeAt when the earliest timer wakes; null if there is none
 * @param pause since when the queue is paused; null if it is not
 */
@Beta
public record NextDue(@Nullable Instant wakeAt, @Nullable QueuePause pause) {}
