package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.todo.TodoLane.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The types and tenants with limits, of which some todos were left in the database. The buffer holds only as many todos
 * of each as can begin in about a second, so that they leave room for others, also in the moment in which there is a
 * permit for one of them. Guarded by the lock of its {@link TodoBuffer}.
 */
final class LeftWithoutPermit {
    /** The number of todos of a limited type or tenant that the buffer holds at least. */
    private static final int LEAST = 32;

    /** At this part of the most the buffer has room for more of them. */
    private static final int FEW = 4;

    private final QueuePermits permits;
    private final Supplier<Stream<Entry>> waiting;
    private final Set<String> types = new HashSet<>();
    private final Set<String> tenants = new HashSet<>();

    /**
     * Creates the set. Nothing is left yet.
     *
     * @param waiting the todos in the buffer that do not run
     */
    LeftWithoutPermit(QueuePermits permits, Supplier<Stream<Entry>> waiting) {
        this.permits = permits;
        this.waiting = waiting;
    }

    /** Returns which new todos of a read are left: those that would wait for a permit behind many others. */
    Predicate<StoredTimer> beginRead() {
        if (!permits.isLimited()) {
            return todo -> false;
        }
        Map<String, Long> mostOfTypes = new HashMap<>();
        Map<String, Long> ofTypes = counts(LeftWithoutPermit::typeOf);
        Map<String, Long> ofTenants = counts(LeftWithoutPermit::tenantOf);
        long mostOfTenant = mostOfTenant();
        return todo -> {
            String type = typeOf(todo);
            String tenant = tenantOf(todo);
            boolean ofType = ofTypes.getOrDefault(type, 0L) >= mostOfTypes.computeIfAbsent(type, this::mostOfType);
            boolean ofTenant = ofTenants.getOrDefault(tenant, 0L) >= mostOfTenant;
            if (ofType) {
                types.add(type);
            }
            if (ofTenant) {
                tenants.add(tenant);
            }
            if (!ofType && !ofTenant) {
                ofTypes.merge(type, 1L, Long::sum);
                ofTenants.merge(tenant, 1L, Long::sum);
            }
            return ofType || ofTenant;
        };
    }

    private Map<String, Long> counts(Function<StoredTimer, String> by) {
        return waiting.get().collect(Collectors.groupingBy(each -> by.apply(each.todo), Collectors.counting()));
    }

    private long mostOfType(String type) {
        return Math.max(LEAST, permits.mostOfType(type));
    }

    private long mostOfTenant() {
        return Math.max(LEAST, permits.mostOfTenant());
    }

    /** Returns whether the buffer has room for todos that were left, now that this one has begun. */
    boolean hasRoomAfter(StoredTimer begun) {
        String type = typeOf(begun);
        String tenant = tenantOf(begun);
        boolean ofType = types.contains(type) && hasRoomOfType(type) && types.remove(type);
        boolean ofTenant = tenants.contains(tenant) && hasRoomOfTenant(tenant) && tenants.remove(tenant);
        return ofType || ofTenant;
    }

    private boolean hasRoomOfType(String type) {
        return countOfType(type) <= mostOfType(type) / FEW;
    }

    private boolean hasRoomOfTenant(String tenant) {
        return countOfTenant(tenant) <= mostOfTenant() / FEW;
    }

    /** Forgets those for which the buffer has room again. */
    void dropWithRoom() {
        types.removeIf(this::hasRoomOfType);
        tenants.removeIf(this::hasRoomOfTenant);
    }

    /** Forgets all: they are read again. */
    void clear() {
        types.clear();
        tenants.clear();
    }

    /** Returns how many todos in the buffer wait for a permit, or may soon. */
    long countWaiting() {
        Set<String> blockedTypes = permits.blockedTypes();
        blockedTypes.addAll(types);
        Set<String> blockedTenants = permits.blockedTenants();
        blockedTenants.addAll(tenants);
        return waiting.get()
                .filter(each ->
                        blockedTypes.contains(typeOf(each.todo)) || blockedTenants.contains(tenantOf(each.todo)))
                .count();
    }

    Set<String> types() {
        return types;
    }

    Set<String> tenants() {
        return tenants;
    }

    private long countOfType(String type) {
        return waiting.get().filter(each -> type.equals(typeOf(each.todo))).count();
    }

    private long countOfTenant(String tenant) {
        return waiting.get().filter(each -> tenant.equals(tenantOf(each.todo))).count();
    }

    private static String typeOf(StoredTimer todo) {
        return todo.content().type();
    }

    private static String tenantOf(StoredTimer todo) {
        return todo.key().tenantId();
    }
}
