package dev.duetime.engine.looks;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.SearchPace;
import dev.duetime.engine.lanes.TenantSearch;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The search for timers with parallel keys behind the backlog of others. Another search has found one of a key, and
 * earlier ones may lie in a part of the backlog that was not searched. So a read asks for these keys alone, from the
 * oldest timer on and whatever the tenant. What it returns are the first timers of these keys, and keeps their order.
 * Used by the loop's thread.
 */
public final class KeyedSearch {
    /** How many keys wait for a read at most: other searches leave them out, which bounds their statements. */
    private static final int MOST_WAITING = 100;

    /** A read finds at most so many times as many timers as one of the other searches. */
    private static final int MOST_FOUND = 4;

    private final Clock clock;
    private final SearchPace pace;
    private final KeyLooks looks = new KeyLooks();
    private final Set<String> waiting = new HashSet<>();

    /** The shards of the last turn. */
    private Set<Integer> shards = Set.of();

    private long usualAtNanos;
    private long largeAtNanos;

    public KeyedSearch(Clock clock, SearchPace pace) {
        this.clock = clock;
        this.pace = pace;
        begin();
    }

    /** Begins with a backlog. */
    public void begin() {
        looks.stop();
        looks.forget();
        waiting.clear();
        usualAtNanos = clock.nanoTime();
        largeAtNanos = usualAtNanos;
    }

    /** Returns the keys that wait for a read. Their timers must not hide what other searches are to find. */
    public Set<String> waiting() {
        return waiting;
    }

    /** Makes a read find the timers of the parallel keys of these timers. */
    public void want(Collection<StoredTimer> timers) {
        if (waiting.size() >= MOST_WAITING) {
            // The other searches find them again, and the reads go on for those that are wanted.
            waiting.clear();
        }
        for (StoredTimer each : timers) {
            String key = each.content().parallelKey();
            if (key != null && looks.want(each) && waiting.size() < MOST_WAITING) {
                waiting.add(key);
            }
        }
    }

    /**
     * Reads the first timers of keys that are wanted, within its share of the time.
     *
     * @return timers that were due when the search began, in order
     * @throws StoreException if the store failed; then the next read asks for fewer keys, after a rest
     */
    public List<StoredTimer> read(TenantSearch search) {
        long began = clock.nanoTime();
        boolean usual = looks.areWanted() && began - usualAtNanos >= 0;
        boolean large =
                looks.areLargeWanted() && began - largeAtNanos >= 0 && (!usual || largeAtNanos - usualAtNanos < 0);
        usual &= !large;
        if (!search.claim().shards().containsAll(shards)) {
            // Keys of shards that are gone may be wanted again, once these are back.
            waiting.clear();
        }
        shards = search.claim().shards();
        Exclusion but = usual || large ? looks.begin(large, search.claim().shards(), Exclusion.NONE) : null;
        if (but == null) {
            return List.of();
        }
        boolean hasFound = false;
        try {
            int limit = looks.limit(search.limit(), MOST_FOUND * search.limit());
            DueTimers read = search.readKeys(looks.shards(), but, limit);
            if (!search.claim().isStillOurs()) {
                looks.failed();
                return List.of();
            }
            looks.hasRead(read);
            if (!read.more()) {
                waiting.removeAll(but.only());
            }
            hasFound = !read.timers().isEmpty();
            return search.withoutCalls(read.timers());
        } catch (StoreException e) {
            looks.failed();
            throw e;
        } finally {
            long ended = clock.nanoTime();
            long at = ended + pace.rest(hasFound && usual, ended - began);
            usualAtNanos = usual ? at : usualAtNanos;
            largeAtNanos = large ? at : largeAtNanos;
        }
    }
}
