package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.store.DueQuery.Exclusion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reads that look behind the backlog of one limited type. Other reads leave out a type of which the buffer holds
 * enough, and all of these todos may belong to one tenant. A look finds todos of tenants that have less than their
 * share in the buffer, and more urgent ones. It takes no todo with a parallel key, since earlier todos of the key may
 * be in the backlog. The looks take the types in turns. Guarded by the lock of its {@link TodoBuffer}.
 */
final class TypeLooks {
    /** The part of the todos of the type that is the share of a tenant. */
    private static final int SHARE = 8;

    /** Bounds the statement. Beyond it, the looks begin with the first tenants again. */
    private static final int MOST_SERVED = 100;

    private final LimitedTodos limited;
    private final Supplier<Stream<Entry>> waiting;
    private final boolean hasKeys;

    /** The type of the look under way; null if the read is another one. */
    private @Nullable String type;

    private String lastType = "";

    /** The tenants, by type, that had their share in the last looks. The next look finds those behind them. */
    private final Map<String, Set<String>> servedByType = new HashMap<>();

    /**
     * Creates the looks.
     *
     * @param waiting the todos in the buffer that do not run
     * @param hasKeys whether todos of one parallel key have an order
     */
    TypeLooks(LimitedTodos limited, Supplier<Stream<Entry>> waiting, boolean hasKeys) {
        this.limited = limited;
        this.waiting = waiting;
        this.hasKeys = hasKeys;
    }

    /**
     * Begins a look at the next of the types.
     *
     * @param types the types of which todos were left, at least one
     * @param tenants the tenants of which todos were left
     * @param keys the parallel keys to leave out
     * @return what the read leaves out
     */
    Exclusion begin(Set<String> types, Set<String> tenants, Set<String> keys) {
        TreeSet<String> sorted = new TreeSet<>(types);
        String next = sorted.higher(lastType);
        String now = next != null ? next : sorted.first();
        type = now;
        lastType = now;
        sorted.remove(now);
        Shares shares = new Shares(now, limited.count());
        servedByType.keySet().retainAll(types);
        Set<String> busy = shares.fullTenants();
        busy.addAll(served(now));
        busy.addAll(tenants);
        return new Exclusion(keys, sorted, busy, shares.highestPriority);
    }

    private Set<String> served(String ofType) {
        return servedByType.computeIfAbsent(ofType, each -> new HashSet<>());
    }

    /**
     * Notes that a read has ended.
     *
     * @param more whether there may be more todos behind those that it returned
     */
    void hasRead(boolean more) {
        String now = type;
        if (now != null && (!more || served(now).size() > MOST_SERVED)) {
            served(now).clear();
        }
    }

    /** Notes that a read is no look. */
    void end() {
        type = null;
    }

    /** Returns which new todos of a look are left; null if the read is no look. */
    @Nullable
    Predicate<StoredTimer> admission() {
        String now = type;
        if (now == null) {
            return null;
        }
        Shares shares = new Shares(now, limited.count());
        return todo -> !shares.take(todo);
    }

    /** The parts of the tenants in the todos of a type that wait in the buffer. */
    private final class Shares {
        private final String type;
        private final LimitedTodos.Counts counts;
        private final Map<String, Integer> byTenant = new HashMap<>();
        private final long most;
        private int highestPriority = Integer.MIN_VALUE;
        private int all;
        private boolean hasUrgent;

        Shares(String type, LimitedTodos.Counts counts) {
            this.type = type;
            this.counts = counts;
            most = counts.mostOfType(type);
            waiting.get()
                    .map(each -> each.todo)
                    .filter(each -> type.equals(LimitedTodos.typeOf(each)))
                    .forEach(each -> {
                        add(each);
                        highestPriority =
                                Math.max(highestPriority, each.content().priority());
                    });
        }

        private void add(StoredTimer todo) {
            byTenant.merge(LimitedTodos.tenantOf(todo), 1, Integer::sum);
            all++;
        }

        Set<String> fullTenants() {
            Set<String> full = new HashSet<>(byTenant.keySet());
            full.removeIf(each -> !isFull(each));
            return full;
        }

        private boolean isFull(String tenant) {
            int count = byTenant.getOrDefault(tenant, 0);
            return count > 0 && ((long) SHARE * count >= most || SHARE * count > all);
        }

        /** Returns whether a todo is taken. */
        boolean take(StoredTimer todo) {
            if ((hasKeys && todo.content().parallelKey() != null) || counts.isFullOfTenant(todo)) {
                return false;
            }
            boolean takes = type.equals(LimitedTodos.typeOf(todo)) ? takeOfType(todo) : !counts.isFullOfType(todo);
            if (takes) {
                counts.add(todo, null);
            }
            return takes;
        }

        private boolean takeOfType(StoredTimer todo) {
            String tenant = LimitedTodos.tenantOf(todo);
            boolean isUrgent = todo.content().priority() > highestPriority;
            if (!isUrgent && isFull(tenant)) {
                served(type).add(tenant);
                return false;
            }
            // However large the payloads are, the buffer may hold one urgent todo, and those of two tenants.
            boolean isFirst = isUrgent ? !hasUrgent : byTenant.size() < 2 && !byTenant.containsKey(tenant);
            if (!isFirst && !counts.hasExtraRoomOfType(todo)) {
                return false;
            }
            hasUrgent |= isUrgent;
            add(todo);
            return true;
        }
    }
}
