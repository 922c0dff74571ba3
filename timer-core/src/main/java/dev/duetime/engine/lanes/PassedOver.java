package dev.duetime.engine.lanes;

import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a search has passed over because its reads left it out: the types and tenants, and from when on. Once a read
 * includes one of them again, the search has to go back. Used by one thread.
 */
public final class PassedOver {
    private final Map<String, Instant> types = new HashMap<>();
    private final Map<String, Instant> tenants = new HashMap<>();

    /** Notes that a read from that time on has passed over what it left out. */
    public void add(Exclusion leftOut, Instant from) {
        leftOut.types().forEach(each -> types.merge(each, from, Times::earlier));
        leftOut.tenants().forEach(each -> tenants.merge(each, from, Times::earlier));
    }

    /** Returns from when on a read includes what was passed over, and forgets that; null if there is nothing. */
    @Nullable
    public Instant take(Exclusion leftOut) {
        return Times.earliest(take(types, leftOut.types()), take(tenants, leftOut.tenants()));
    }

    private static @Nullable Instant take(Map<String, Instant> passed, Set<String> leftOut) {
        Instant first = null;
        for (Iterator<Map.Entry<String, Instant>> all = passed.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Instant> each = all.next();
            if (!leftOut.contains(each.getKey())) {
                first = Times.earliest(first, each.getValue());
                all.remove();
            }
        }
        return first;
    }

    public void clear() {
        types.clear();
        tenants.clear();
    }
}
