package dev.duetime.hosts;

import dev.duetime.internal.StableHash;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The items of to-do lists. Each item is on the home of its id, or on the host that stores it already. A call that
 * concerns several hosts is atomic on each of them. As thread-safe as the writes that it uses.
 */
final class HostTodos implements ListStore {
    private static final Comparator<ListItem> OLDEST_FIRST =
            Comparator.comparing(ListItem::overdueAt).thenComparing(ListItem::key);

    private final HostStores hosts;
    private final Function<String, ListStore> reads;
    private final UnaryOperator<String> checked;

    /**
     * Creates the lists of all hosts.
     *
     * @param reads returns the lists of a host, to read and write
     * @param checked returns the host if writing there is allowed, else throws
     */
    HostTodos(HostStores hosts, Function<String, ListStore> reads, UnaryOperator<String> checked) {
        this.hosts = hosts;
        this.reads = reads;
        this.checked = checked;
    }

    @Override
    public void put(List<ListItem> items) {
        SortedMap<String, List<ListItem>> places = new TreeMap<>();
        for (ListItem item : items) {
            String place = checked.apply(place(item.key()));
            places.computeIfAbsent(place, host -> new ArrayList<>()).add(item);
        }
        places.forEach((host, part) -> hosts.call(host, () -> {
            reads.apply(host).put(part);
            return host;
        }));
    }

    private String place(ListKey key) {
        List<String> homes = homes(key);
        return homes.size() == 1 ? homes.get(0) : stored(key, homes).orElse(homes.get(0));
    }

    private List<String> homes(ListKey key) {
        return hosts.ranking().homes(StableHash.of(key.id()));
    }

    private Optional<String> stored(ListKey key, List<String> homes) {
        return homes.stream()
                .filter(host ->
                        hosts.call(host, () -> reads.apply(host).find(key)).isPresent())
                .findFirst();
    }

    @Override
    public int remove(List<ListKey> keys) {
        return remove(keys, Function.identity(), ListStore::remove);
    }

    @Override
    public int removeUnmoved(List<ListItem> items) {
        return remove(items, ListItem::key, ListStore::removeUnmoved);
    }

    private <T> int remove(List<T> all, Function<T, ListKey> key, ToIntBiFunction<ListStore, List<T>> remove) {
        SortedMap<String, List<T>> places = new TreeMap<>();
        for (T each : all) {
            String place = checked.apply(place(key.apply(each)));
            places.computeIfAbsent(place, host -> new ArrayList<>()).add(each);
        }
        int removed = 0;
        for (String host : places.keySet()) {
            List<T> part = places.getOrDefault(host, List.of());
            removed += hosts.call(host, () -> remove.applyAsInt(reads.apply(host), part));
        }
        return removed;
    }

    @Override
    public Optional<ListItem> find(ListKey key) {
        return stored(key, homes(key))
                .flatMap(host -> hosts.call(host, () -> reads.apply(host).find(key)));
    }

    @Override
    public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
        return hosts.names().stream()
                .flatMap(host -> hosts.call(host, () -> reads.apply(host).overdue(list, now, after, limit)).stream())
                .sorted(OLDEST_FIRST)
                .limit(limit)
                .toList();
    }
}
