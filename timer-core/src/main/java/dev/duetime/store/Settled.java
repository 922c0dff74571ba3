package dev.duetime.store;

import dev.duetime.Beta;
import java.util.List;

/**
 * The result of writing outcomes without waiting for other transactions.
 *
 * @param count how many outcomes were written
 * @param locked the outcomes that were not written because another transaction holds their row; all others were
 *     overtaken
 */
@Beta
public record Settled(int count, List<Settlement> locked) {

    /** Copies the list. */
    public Settled {
        locked = List.copyOf(locked);
    }
}
