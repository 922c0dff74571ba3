package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link DueQuery}.
 *
 * @param timers what is due, by {@code wakeAt}; every due timer that is not here is at least as late as the last one
 *     here
 * @param undecodable what is due too but cannot be read; the engine ends it as {@code DEAD} if it has a key, so that it
 *     blocks nobody
 * @param more whether there may be more that is due: never false while there is, and never true on an empty page
 */
@Beta
public record DueTimers(List<StoredTimer> timers, List<Undecodable> undecodable, boolean more) {

    /** Creates an answer of which everything could be read. */
    public DueTimers(List<StoredTimer> timers, boolean more) {
        this(timers, List.of(), more);
    }

    /**
     * A due row that somebody else has written or damaged.
     *
     * @param key its name; null if it has one that no timer can have: such a row is only told
     * @param generation its token
     * @param attempt how many deliveries were counted
     * @param reason what is wrong, without the content; names a row that has no key, with control characters escaped
     */
    public record Undecodable(@Nullable TimerKey key, long generation, int attempt, String reason) {}
}
