package dev.duetime.engine;

import dev.duetime.StoredTimer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Orders the lanes of which a todo may run: higher priority first; among equals the tenant that was served longest ago, so
 * that a busy one starves nobody; then the oldest. Guarded by its owner's lock.
 */
final class FairQueue {
    private static final Comparator<TodoLane> LANES =
            Comparator.comparing(TodoLane::head, BatchDelivery.DELIVERY_ORDER);

    private static final Comparator<Tenant> TENANTS = Comparator.comparingInt(Tenant::priority)
            .reversed()
            .thenComparingLong(each -> each.servedAt)
            .thenComparing(each -> each.lanes.first(), LANES);

    private final Map<String, Tenant> byId = new HashMap<>();
    private final TreeSet<Tenant> tenants = new TreeSet<>(TENANTS);
    private long served;
    private int size;
    private int todos;

    /** Adds a lane, of which nothing must change until it is polled or removed. */
    void add(TodoLane lane) {
        Tenant tenant = byId.computeIfAbsent(lane.head().key().tenantId(), unused -> new Tenant());
        if (!tenant.lanes.isEmpty()) {
            tenants.remove(tenant);
        }
        tenant.lanes.add(lane);
        tenants.add(tenant);
        lane.ready = true;
        size++;
        todos += lane.size();
    }

    /** Takes a lane out, if it is in. */
    void remove(TodoLane lane) {
        if (lane.ready) {
            String id = lane.head().key().tenantId();
            Tenant tenant = byId.get(id);
            if (tenant != null) {
                take(id, tenant, lane, tenant.servedAt);
            }
        }
    }

    /** Returns the first lane, and takes it out. */
    @Nullable
    TodoLane poll() {
        if (tenants.isEmpty()) {
            return null;
        }
        Tenant tenant = tenants.first();
        TodoLane lane = tenant.lanes.first();
        take(lane.head().key().tenantId(), tenant, lane, ++served);
        return lane;
    }

    private void take(String id, Tenant tenant, TodoLane lane, long servedAt) {
        tenants.remove(tenant);
        tenant.lanes.remove(lane);
        tenant.servedAt = servedAt;
        if (tenant.lanes.isEmpty()) {
            byId.remove(id);
        } else {
            tenants.add(tenant);
        }
        lane.ready = false;
        size--;
        todos -= lane.size();
    }

    int size() {
        return size;
    }

    /** Returns how many todos are in its lanes. */
    int todos() {
        return todos;
    }

    private static final class Tenant {
        final TreeSet<TodoLane> lanes = new TreeSet<>(LANES);
        long servedAt;

        int priority() {
            StoredTimer first = lanes.first().head();
            return first.content().priority();
        }
    }
}
