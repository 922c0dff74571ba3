package dev.duetime.engine.looks;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.TenantKey;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The looks for single parallel keys. A look at the present has found todos of these keys, and earlier ones may wait
 * behind the backlog. A look for keys passes over their shards alone, and its cost depends on nothing but the length of
 * the backlog there. After it, the looks at the present see all todos of these keys.
 *
 * <p>A look has a limit. Keys with a backlog of their own would fill it each time, and hide the others. So the keys
 * that fill a look are large from then on, and have looks of their own. Used by the loop's thread.
 */
public final class KeyLooks {
    /** Bounds memory. */
    private static final int MOST_WANTED = 1_000;

    private static final int MOST_SEEN = 10_000;

    private static final int MOST_LARGE = 10_000;

    /** A key with more todos may be large. */
    private static final int SMALL = 64;

    /** So many keys of a tenant may wait although very many of others do. */
    private static final int FEW_WANTED = 8;

    private final WantedKeys usual = new WantedKeys();
    private final WantedKeys large = new WantedKeys();

    /** The parallel keys that filled a look, and of which no look has found all since. */
    private final Set<String> largeKeys = new HashSet<>();

    /** The keys that the last look asked for, and those of its kind. */
    private List<TenantKey> asked = List.of();

    private WantedKeys current = usual;

    /** The keys of which all that is due was read, by tenant. */
    private final Map<String, Set<String>> seen = new HashMap<>();

    private int seenCount;

    /** Makes a look find the todos of this one's parallel key. Returns whether it will: not if very many wait. */
    boolean want(StoredTimer todo) {
        String parallelKey = Objects.requireNonNull(todo.content().parallelKey());
        TenantKey key = new TenantKey(todo.key().tenantId(), parallelKey, todo.shard());
        boolean waits = usual.contains(key) || large.contains(key);
        if (!waits && hasRoom(key.tenant())) {
            (largeKeys.contains(parallelKey) ? large : usual).add(key);
            waits = true;
        }
        return waits;
    }

    private boolean hasRoom(String tenant) {
        int size = usual.size() + large.size();
        boolean hasFew = usual.count(tenant) + large.count(tenant) < FEW_WANTED;
        return size < MOST_WANTED || (size < 2 * MOST_WANTED && hasFew);
    }

    /** Returns whether keys wait for a look that may be found quickly. */
    public boolean areWanted() {
        return !usual.isEmpty();
    }

    /** Returns whether large keys wait for a look. */
    public boolean areLargeWanted() {
        return !large.isEmpty();
    }

    /**
     * Begins a look.
     *
     * @param forLarge whether it is one for large keys
     * @param shards the shards of this node
     * @param but what it leaves out besides
     * @return what the look leaves out: all other keys; null if there is none to look for
     */
    public @Nullable Exclusion begin(boolean forLarge, Set<Integer> shards, Exclusion but) {
        Predicate<TenantKey> isLeftOut = each -> !shards.contains(each.shard())
                || but.parallelKeys().contains(each.parallelKey())
                || but.tenants().contains(each.tenant());
        current = forLarge ? large : usual;
        current.removeIf(isLeftOut);
        asked = current.next();
        if (asked.isEmpty()) {
            return null;
        }
        Set<String> keys = asked.stream().map(TenantKey::parallelKey).collect(Collectors.toSet());
        // Todos of all types: those that must wait for a limit hold up the others of their keys.
        return new Exclusion(but.parallelKeys(), Set.of(), but.tenants(), but.upTo(), keys);
    }

    /** Returns the shards of the last look. */
    public Set<Integer> shards() {
        return asked.stream().map(TenantKey::shard).collect(Collectors.toSet());
    }

    /**
     * Returns how many todos the last look is to find, at most. It needs no more of a key than tell that the key is
     * large. A look for large keys is to find what their lanes hold.
     *
     * @param most how many at most, for any number of keys
     */
    public int limit(int batchSize, int most) {
        int each = current == large ? batchSize : SMALL;
        return Math.min(most, each * ReadWindow.roundedUp(asked.size()));
    }

    /** Notes the last look. */
    public void hasRead(DueTimers read) {
        if (read.more()) {
            current.foundPart(asked);
            noteLarge(read.timers());
            return;
        }
        current.foundAll(asked);
        for (TenantKey each : asked) {
            largeKeys.remove(each.parallelKey());
            if (seen.computeIfAbsent(each.tenant(), unknown -> new HashSet<>()).add(each.parallelKey())) {
                seenCount++;
            }
        }
        if (seenCount > MOST_SEEN) {
            forget();
        }
    }

    /** At least one key has as many todos as the average, so each full look finds a large one. */
    private void noteLarge(List<StoredTimer> found) {
        Map<String, Integer> counts = new HashMap<>();
        found.forEach(each -> counts.merge(Objects.requireNonNull(each.content().parallelKey()), 1, Integer::sum));
        if (largeKeys.size() > MOST_LARGE) {
            largeKeys.clear();
        }
        for (TenantKey each : asked) {
            int count = counts.getOrDefault(each.parallelKey(), 0);
            if (count > 0 && count * asked.size() >= found.size()) {
                largeKeys.add(each.parallelKey());
                usual.remove(each);
                large.add(each);
            }
        }
    }

    /** Notes that the last look has failed. The next one asks for fewer keys, and for other ones first. */
    public void failed() {
        current.foundPart(asked);
    }

    /** Returns whether all that was due of its parallel key before the last look was read. */
    boolean covers(StoredTimer todo) {
        String parallelKey = todo.content().parallelKey();
        return parallelKey != null
                && seen.getOrDefault(todo.key().tenantId(), Set.of()).contains(parallelKey);
    }

    /** Notes tenants of whom something that is due is not in memory. */
    void uncover(Collection<String> tenants) {
        for (String each : tenants) {
            Set<String> keys = seen.remove(each);
            seenCount -= keys == null ? 0 : keys.size();
        }
    }

    /** Notes parallel keys of which something that is due is not in memory. */
    void uncoverKeys(Set<String> keys) {
        if (!keys.isEmpty()) {
            seen.values().forEach(each -> each.removeAll(keys));
            seen.values().removeIf(Set::isEmpty);
            seenCount = seen.values().stream().mapToInt(Set::size).sum();
        }
    }

    /** Forgets which keys were seen. */
    void forget() {
        seen.clear();
        seenCount = 0;
    }

    /** Forgets which keys to look for: all was read. */
    void stop() {
        usual.clear();
        large.clear();
        largeKeys.clear();
        asked = List.of();
    }
}
