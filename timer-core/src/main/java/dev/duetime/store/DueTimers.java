package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link DueQuery}.
 *
 * @param timers due timers by {@code wakeAt}; every other due timer is at least as late as the last one here
 * @param undecodable due rows that cannot be read; the engine ends them as {@code DEAD} if they have a key, so that
 *     they block no timer
 * @param more whether there may be more due timers: never false while there are some, and never true on an empty page
 */
@Beta
public record DueTimers(List<StoredTimer> timers, List<Undecodable> undecodable, boolean more) {

    /** Creates an answer without unreadable rows. */
    public DueTimers(List<StoredTimer> timers, boolean more) {
        this(timers, List.of(), more);
    }

    /**
     * A due row that cannot be read, because others wrote or damaged it.
     *
     * @param key its key; null if no timer can have it: such a row is only reported
     * @param generation its generation
     * @param attempt how many deliveries were counted
     * @param reason the defect, without the content; for a row without a key also its name, with control characters
     *     escaped
     */
    public record Undecodable(@Nullable TimerKey key, long generation, int attempt, String reason) {}
}
