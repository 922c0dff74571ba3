package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery.Exclusion;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The looks for single parallel keys. A look at the present has found todos of these keys, and earlier ones may wait
 * behind the backlog. A look for keys passes over their shards alone, and its cost depends on nothing but the length of
 * the backlog there. After it, the looks at the present see all todos of these keys. Used by the loop's thread.
 */
public final class KeyLooks {
    /** Bounds the statement. */
    private static final int MOST_ASKED = 100;

    /** Bounds memory. */
    private static final int MOST_WANTED = 1_000;

    private static final int MOST_SEEN = 10_000;

    private record Key(String tenant, String parallelKey, int shard) {}

    /** The keys to look for, those that have waited longest first. */
    private final Set<Key> wanted = new LinkedHashSet<>();

    /** The keys that the last look asked for. */
    private List<Key> asked = List.of();

    /** The keys of which all that is due was read, by tenant. */
    private final Map<String, Set<String>> seen = new HashMap<>();

    private int seenCount;

    /** Makes a look find the todos of this one's parallel key. Returns whether it will: not if very many wait. */
    boolean want(StoredTimer todo) {
        String parallelKey = Objects.requireNonNull(todo.content().parallelKey());
        Key key = new Key(todo.key().tenantId(), parallelKey, todo.shard());
        return wanted.contains(key) || (wanted.size() < MOST_WANTED && wanted.add(key));
    }

    /** Returns whether keys wait for a look. */
    public boolean areWanted() {
        return !wanted.isEmpty();
    }

    /**
     * Begins a look.
     *
     * @param shards the shards of this node
     * @param but what it leaves out besides
     * @return what the look leaves out: all other keys; null if there is none to look for
     */
    public @Nullable Exclusion begin(Set<Integer> shards, Exclusion but) {
        wanted.removeIf(each -> !shards.contains(each.shard)
                || but.parallelKeys().contains(each.parallelKey)
                || but.tenants().contains(each.tenant));
        asked = wanted.stream().limit(MOST_ASKED).toList();
        if (asked.isEmpty()) {
            return null;
        }
        Set<String> keys = asked.stream().map(Key::parallelKey).collect(Collectors.toSet());
        // Todos of all types: those that must wait for a limit hold up the others of their keys.
        return new Exclusion(but.parallelKeys(), Set.of(), but.tenants(), but.upTo(), keys);
    }

    /** Returns the shards of the last look. */
    public Set<Integer> shards() {
        return asked.stream().map(Key::shard).collect(Collectors.toSet());
    }

    /**
     * Notes the last look.
     *
     * @param all whether it has found all todos of its keys
     */
    public void hasRead(boolean all) {
        if (!all) {
            failed();
            return;
        }
        asked.forEach(wanted::remove);
        for (Key each : asked) {
            if (seen.computeIfAbsent(each.tenant, unknown -> new HashSet<>()).add(each.parallelKey)) {
                seenCount++;
            }
        }
        if (seenCount > MOST_SEEN) {
            forget();
        }
    }

    /** Notes that the last look has failed. The next one asks for other keys first. */
    public void failed() {
        asked.forEach(wanted::remove);
        wanted.addAll(asked);
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
        wanted.clear();
        asked = List.of();
    }
}
