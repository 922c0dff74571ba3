package dev.duetime.store;

import dev.duetime.Beta;
import java.util.List;

/**
 * The result of writing outcomes without waiting for other transactions.
 *
 * @param count how many were written down
 * @param locked those whose row another transaction holds, which were not; the rest was overtaken
 */
@Beta
public record Settled(int count, List<Settlement> locked) {

    /** Copies the list. */
    public Settled {
        locked = List.copyOf(locked);
    }
}
