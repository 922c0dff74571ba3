package dev.duetime.engine.looks;

import dev.duetime.engine.lanes.TenantKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Parallel keys to look for. Tenants take turns, and so do the keys of each tenant: a look asks for those first that
 * were asked for longest ago. If a look does not find all todos of its keys, the next one asks for half as many, down
 * to one. So no key waits long because of what others hold. Used by the loop's thread.
 */
final class WantedKeys {
    /** Bounds the statement. */
    private static final int MOST_ASKED = 100;

    /** The keys of each tenant. Those whose turn is next come first. */
    private final Map<String, Set<TenantKey>> byTenant = new LinkedHashMap<>();

    private int size;
    private int most = MOST_ASKED;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    boolean contains(TenantKey key) {
        return byTenant.getOrDefault(key.tenant(), Set.of()).contains(key);
    }

    /** Returns how many keys of a tenant wait. */
    int count(String tenant) {
        return byTenant.getOrDefault(tenant, Set.of()).size();
    }

    void add(TenantKey key) {
        if (byTenant.computeIfAbsent(key.tenant(), unknown -> new LinkedHashSet<>())
                .add(key)) {
            size++;
        }
    }

    void remove(TenantKey key) {
        Set<TenantKey> keys = byTenant.get(key.tenant());
        if (keys != null && keys.remove(key)) {
            size--;
            if (keys.isEmpty()) {
                byTenant.remove(key.tenant());
            }
        }
    }

    void removeIf(Predicate<TenantKey> which) {
        all().stream().filter(which).toList().forEach(this::remove);
    }

    private List<TenantKey> all() {
        return byTenant.values().stream().flatMap(Set::stream).toList();
    }

    void clear() {
        byTenant.clear();
        size = 0;
        most = MOST_ASKED;
    }

    /** Returns the keys that the next look asks for: one of each tenant, then another one of each, and so on. */
    List<TenantKey> next() {
        List<Iterator<TenantKey>> tenants = new ArrayList<>();
        byTenant.values().forEach(each -> tenants.add(each.iterator()));
        List<TenantKey> keys = new ArrayList<>();
        int wanted = Math.min(most, size);
        while (keys.size() < wanted) {
            for (Iterator<TenantKey> each : tenants) {
                if (each.hasNext() && keys.size() < wanted) {
                    keys.add(each.next());
                }
            }
        }
        return keys;
    }

    /** Notes that a look has found all todos of these keys. */
    void foundAll(List<TenantKey> asked) {
        asked.forEach(this::remove);
        endTurns(asked);
        most = Math.min(MOST_ASKED, 2 * Math.max(most, asked.size()));
    }

    /** Notes that a look has not found all todos of these keys. */
    void foundPart(List<TenantKey> asked) {
        for (TenantKey each : asked) {
            if (contains(each)) {
                remove(each);
                add(each);
            }
        }
        endTurns(asked);
        most = Math.max(1, asked.size() / 2);
    }

    private void endTurns(List<TenantKey> asked) {
        for (TenantKey each : asked) {
            Set<TenantKey> others = byTenant.remove(each.tenant());
            if (others != null) {
                byTenant.put(each.tenant(), others);
            }
        }
    }
}
