package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How many timers of each waiting tenant have got permits. One turn of the loop may give out a single permit, so the
 * count goes on from turn to turn. Used by one thread.
 */
public final class TenantTurns {
    private final Map<String, Integer> counts = new HashMap<>();

    /**
     * Notes whose timers wait now. A tenant that did not wait before begins with the count of the tenant that had the
     * fewest: it neither waits for the others nor gets several turns in a row.
     */
    public void waiting(List<StoredTimer> timers) {
        Set<String> tenants = timers.stream().map(each -> each.key().tenantId()).collect(Collectors.toSet());
        counts.keySet().retainAll(tenants);
        int fewest = counts.isEmpty() ? 0 : Collections.min(counts.values());
        counts.replaceAll((tenant, count) -> count - fewest);
        tenants.forEach(tenant -> counts.putIfAbsent(tenant, 0));
    }

    /** Notes that a timer got permits. */
    public void add(StoredTimer timer) {
        counts.merge(timer.key().tenantId(), 1, Integer::sum);
    }

    public Map<String, Integer> counts() {
        return counts;
    }
}
