package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The timers that were published alone and failed while nothing else could be tried, because a limit left one permit.
 * It is not known whether the publisher was away or the timer is poison. They are tried apart from now on, so that the
 * others show whether the publisher is there. Used by one thread.
 */
public final class DoubtedTimers {
    /** Bounds memory; beyond it the oldest ones are forgotten. */
    private static final int MOST = 1_000;

    private final Map<TimerKey, Long> generations = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TimerKey, Long> eldest) {
            return size() > MOST;
        }
    };

    public void add(StoredTimer timer) {
        generations.put(timer.key(), timer.generation());
    }

    /** Forgets a timer: it has an outcome. */
    public void forget(TimerKey timer) {
        generations.remove(timer);
    }

    public boolean contains(StoredTimer timer) {
        return !generations.isEmpty() && Long.valueOf(timer.generation()).equals(generations.get(timer.key()));
    }
}
