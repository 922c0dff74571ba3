package dev.duetime.engine.limits;

import dev.duetime.internal.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * How full units of a rate are for each tenant: since when they fill up, or would have been empty. Immutable.
 *
 * @param since the time of each tenant that the map does not name
 * @param byTenant later times, of tenants for which the units are emptier. A bounded number: those that are nearest to
 *     full are left out first. Then the level of all unknown tenants is as low as theirs, so that nobody gets more
 *     permits than allowed
 */
record TenantLevels(Instant since, Map<String, Instant> byTenant) {
    /** How many tenants have a level of their own, and how many characters their text has, at most. */
    static final int MOST_TENANTS = 1_000;

    static final int MOST_CHARACTERS = 50_000;

    /** Returns one level for all tenants. */
    static TenantLevels of(Instant since) {
        return new TenantLevels(since, Map.of());
    }

    /** Returns levels within the bounds. A tenant whose time is not later than that of unknown ones is left out. */
    static TenantLevels of(Instant since, Map<String, Instant> byTenant) {
        List<Map.Entry<String, Instant>> emptiest = new ArrayList<>(byTenant.entrySet());
        emptiest.removeIf(each -> !each.getValue().isAfter(since));
        emptiest.sort(Map.Entry.<String, Instant>comparingByValue().reversed().thenComparing(Map.Entry::getKey));
        Instant unknown = since;
        int characters = 0;
        Map<String, Instant> kept = new HashMap<>();
        for (Map.Entry<String, Instant> each : emptiest) {
            characters += LevelsText.length(each.getKey());
            if (kept.size() == MOST_TENANTS || characters > MOST_CHARACTERS) {
                unknown = each.getValue();
                break;
            }
            kept.put(each.getKey(), each.getValue());
        }
        Instant lowest = unknown;
        kept.values().removeIf(each -> !each.isAfter(lowest));
        return new TenantLevels(unknown, Map.copyOf(kept));
    }

    Instant of(String tenant) {
        return byTenant.getOrDefault(tenant, since);
    }

    /** Returns the time of the tenant for which the units are emptiest. */
    Instant lowest() {
        return byTenant.values().stream().max(Comparator.naturalOrder()).orElse(since);
    }

    /** Returns one level for all tenants: that of the one for which the units are emptiest. */
    TenantLevels evened() {
        return of(lowest());
    }

    /** Returns the lower level of both, for each tenant. */
    TenantLevels lower(TenantLevels other) {
        return with(other, Times::later);
    }

    /** Returns levels that are computed, for each tenant, from both. */
    TenantLevels with(TenantLevels other, BinaryOperator<Instant> compute) {
        Set<String> tenants = new HashSet<>(byTenant.keySet());
        tenants.addAll(other.byTenant.keySet());
        Map<String, Instant> both = new HashMap<>();
        tenants.forEach(each -> both.put(each, compute.apply(of(each), other.of(each))));
        return of(compute.apply(since, other.since), both);
    }

    /** Returns the same without the tenants of which a level need not be kept. */
    TenantLevels without(Predicate<Instant> needless) {
        if (byTenant.values().stream().noneMatch(needless)) {
            return this;
        }
        Map<String, Instant> kept = new HashMap<>(byTenant);
        kept.values().removeIf(needless);
        return of(since, kept);
    }
}
