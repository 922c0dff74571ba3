package dev.duetime.store;

import dev.duetime.StoredTimer;
import java.util.List;

/**
 * Answers a {@link DueQuery}.
 *
 * @param timers what is due, by {@code wakeAt}; every due timer that is not here is at least as late as the last one here
 * @param more whether there may be more that is due; never false while there is
 */
public record DueTimers(List<StoredTimer> timers, boolean more) {}
