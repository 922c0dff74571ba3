package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timer as it was when it was read, without its content.
 *
 * @param key its name
 * @param generation its token
 * @param state its state
 * @param recurs whether it is a recurring timer, which may move on to another generation by itself
 */
@Beta
public record TimerVersion(TimerKey key, long generation, TimerState state, boolean recurs) {

    /**
     * The timers that one call of {@link StoreAdmin#versions} found. It may hold fewer than were asked for, or none,
     * although there are more, because each call examines a bounded number of timers.
     *
     * @param timers in the order of their keys
     * @param next the key after which the next call continues; null if there are no more timers
     */
    @Beta
    public record Page(List<TimerVersion> timers, @Nullable TimerKey next) {
        /** Copies the list. */
        public Page {
            timers = List.copyOf(timers);
        }
    }
}
