package dev.duetime.engine.todo;

import dev.duetime.engine.loop.DeliveryOrder;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have a todo which may run, in the order of service. Higher priority comes first. Among equal
 * priorities, the tenant that was served longest ago comes first, so that a busy tenant starves no other. Then the
 * oldest todo comes first. A tenant without a lane here keeps its place: when its next lane arrives, the time of its
 * last service still counts. An unknown tenant queues behind all others. Guarded by its owner's lock.
 */
final class FairQueue {
    private static final Comparator<TodoLane> LANES =
            (one, other) -> one == other ? 0 : DeliveryOrder.BY_PRIORITY.compare(one.head(), other.head());

    private static final Comparator<Tenant> TENANTS = Comparator.comparingInt(Tenant::priority)
            .reversed()
            .thenComparingLong(each -> each.servedAt)
            .thenComparing(Tenant::first, LANES);

    /**
     * The number of tenants without a lane that keep their turns. Beyond it, the tenant that was served longest ago
     * loses its turn.
     */
    private static final int REMEMBERED = 10_000;

    private final Map<String, Tenant> byId = new HashMap<>();
    /** The turns at which tenants without a lane were last served, the oldest first. */
    private final Map<String, Long> servedBefore = new LinkedHashMap<>();

    private final TreeSet<Tenant> tenants = new TreeSet<>(TENANTS);
    private long served;
    private int size;

    /** Adds a lane, whose head must not change until it is served or removed. */
    void add(TodoLane lane) {
        Tenant tenant = byId.computeIfAbsent(lane.head().key().tenantId(), this::arriving);
        change(tenant, () -> tenant.lanes.add(lane));
        size++;
    }

    private Tenant arriving(String id) {
        Long servedAt = servedBefore.remove(id);
        return new Tenant(id, servedAt == null ? ++served : servedAt);
    }

    /** Keeps the turn of a tenant that has no lane any more. */
    private void leaving(Tenant tenant) {
        byId.remove(tenant.id);
        servedBefore.put(tenant.id, tenant.servedAt);
        if (servedBefore.size() > REMEMBERED) {
            servedBefore.remove(servedBefore.keySet().iterator().next());
        }
    }

    /** Removes a lane that is in the queue. */
    void remove(TodoLane lane) {
        Tenant tenant = tenantOf(lane);
        change(tenant, () -> tenant.lanes.remove(lane));
        size--;
    }

    /** Returns the first lane that may begin, in the order of service. It stays in its place until it is served. */
    @Nullable
    TodoLane first(Predicate<TodoLane> mayBegin) {
        TodoLane best = null;
        for (Tenant each : tenants) {
            TodoLane lane = first(each, mayBegin);
            if (lane != null && (best == null || priority(lane) > priority(best))) {
                best = lane;
            }
            if (lane != null && lane == each.first) {
                break; // All that follow are no more urgent.
            }
        }
        return best;
    }

    private static @Nullable TodoLane first(Tenant tenant, Predicate<TodoLane> mayBegin) {
        for (TodoLane lane : tenant.lanes) {
            if (mayBegin.test(lane)) {
                return lane;
            }
        }
        return null;
    }

    private static int priority(TodoLane lane) {
        return lane.head().content().priority();
    }

    /** Removes a lane whose todo begins now. Only this counts as a turn of its tenant. */
    void serve(TodoLane lane) {
        Tenant tenant = tenantOf(lane);
        change(tenant, () -> {
            tenant.lanes.remove(lane);
            tenant.servedAt = ++served;
        });
        size--;
    }

    private Tenant tenantOf(TodoLane lane) {
        return Objects.requireNonNull(byId.get(lane.head().key().tenantId()));
    }

    /** Changes the lanes of a tenant, and with them its place among the others. */
    private void change(Tenant tenant, Runnable change) {
        if (tenant.first != null) {
            tenants.remove(tenant);
        }
        change.run();
        tenant.first = tenant.lanes.isEmpty() ? null : tenant.lanes.first();
        if (tenant.first != null) {
            tenants.add(tenant);
        } else {
            leaving(tenant);
        }
    }

    /** Removes all lanes. Of the tenants that have some now, the turns are forgotten. */
    void clear() {
        byId.clear();
        tenants.clear();
        size = 0;
    }

    int size() {
        return size;
    }

    private static final class Tenant {
        final String id;
        final TreeSet<TodoLane> lanes = new TreeSet<>(LANES);
        long servedAt;

        @Nullable
        TodoLane first;

        Tenant(String id, long servedAt) {
            this.id = id;
            this.servedAt = servedAt;
        }

        TodoLane first() {
            return Objects.requireNonNull(first);
        }

        int priority() {
            return FairQueue.priority(first());
        }
    }
}
