package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.LeftKeys;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.todo.TodoMode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The types and tenants with limits, of which some todos were left in the database. The buffer holds only as many todos
 * of each as can begin in about a second, so that they leave room for others, also in the moment in which there is a
 * permit for one of them. Todos of a parallel key of which one was left are left, too, so that they do not overtake it.
 * A sequential queue leaves none, because all todos wait for the first. Guarded by the lock of its {@link TodoBuffer}.
 */
final class LeftWithoutPermit {
    private final boolean leaves;
    private final boolean hasKeys;
    private final LimitedTodos limited;
    private final TodoEntries entries;
    private final TodoLanes lanes;
    private final QueuePermits permits;
    private final Set<String> types = new HashSet<>();
    private final Set<String> tenants = new HashSet<>();
    private final LeftKeys keys;
    private final TypeLooks looks;

    /** The parallel keys of todos that this read has left. */
    private final Set<String> leftNow = new HashSet<>();

    /** Whether it is time for a read that makes more parallel keys known. */
    private boolean isDue;

    /**
     * Creates the set. Nothing is left yet.
     *
     * @param entries the todos in the buffer
     * @param readBytes how many bytes of todos one read takes
     */
    LeftWithoutPermit(QueuePermits permits, TodoLanes lanes, Clock clock, TodoEntries entries, long readBytes) {
        this.permits = permits;
        this.lanes = lanes;
        this.entries = entries;
        keys = new LeftKeys(clock);
        leaves = permits.isLimited() && lanes.mode() != TodoMode.SEQUENTIAL;
        hasKeys = lanes.mode() == TodoMode.PARALLEL_BY_KEY;
        limited = new LimitedTodos(permits, entries::waiting, readBytes);
        looks = new TypeLooks(limited, entries::waiting, hasKeys);
    }

    /** Returns which new todos of a read are left: those that would wait for a permit behind many others. */
    Predicate<StoredTimer> beginAdmission() {
        leftNow.clear();
        if (!leaves) {
            return todo -> false;
        }
        Predicate<StoredTimer> ofLook = looks.admission();
        if (ofLook != null) {
            return ofLook;
        }
        LimitedTodos.Counts counts = limited.count();
        return todo -> isLeft(todo, counts);
    }

    private boolean isLeft(StoredTimer todo, LimitedTodos.Counts counts) {
        if (hasKeys && mustWait(todo)) {
            return true;
        }
        boolean ofType = counts.isFullOfType(todo);
        boolean ofTenant = counts.isFullOfTenant(todo);
        if (ofType) {
            types.add(LimitedTodos.typeOf(todo));
        }
        if (ofTenant) {
            tenants.add(LimitedTodos.tenantOf(todo));
        }
        TodoLane lane = lanes.known(todo);
        boolean ofKey = false;
        if (!ofType && !ofTenant && lane != null && counts.isFullOfKey(todo, lane)) {
            lanes.truncate(lane);
            ofKey = true;
        }
        boolean isLeft = ofType || ofTenant || ofKey;
        String key = todo.content().parallelKey();
        if (!isLeft) {
            counts.add(todo, lane);
        } else if (key != null) {
            leftNow.add(key);
        }
        return isLeft;
    }

    private boolean mustWait(StoredTimer todo) {
        String key = todo.content().parallelKey();
        if (keys.isOnlyLearnt(todo)) {
            keys.add(todo);
            return true;
        }
        if (keys.mustWait(todo) || (key != null && leftNow.contains(key))) {
            leftNow.add(Objects.requireNonNull(key));
            return true;
        }
        return false;
    }

    /** Returns whether the buffer has room for todos that were left, now that this one has begun. */
    boolean hasRoomAfter(StoredTimer begun) {
        String type = LimitedTodos.typeOf(begun);
        String tenant = LimitedTodos.tenantOf(begun);
        if (!types.contains(type) && !tenants.contains(tenant)) {
            return false;
        }
        LimitedTodos.Counts counts = limited.count();
        boolean ofType = types.contains(type) && counts.hasRoomOfType(type) && types.remove(type);
        boolean ofTenant = tenants.contains(tenant) && counts.hasRoomOfTenant(tenant) && tenants.remove(tenant);
        return ofType || ofTenant;
    }

    /**
     * Begins a read. Forgets the types and tenants for which the buffer has room again.
     *
     * @param fullKeys the parallel keys to leave out because their lanes are full
     * @return what the read leaves out
     */
    Exclusion beginRead(Set<String> fullKeys, Set<Integer> shards) {
        isDue = false;
        looks.end();
        if (!types.isEmpty() || !tenants.isEmpty()) {
            LimitedTodos.Counts counts = limited.count();
            types.removeIf(counts::hasRoomOfType);
            tenants.removeIf(counts::hasRoomOfTenant);
        }
        Set<String> leftOut = keys.of(types, tenants);
        leftOut.addAll(fullKeys);
        return keys.beginRead(new Exclusion(leftOut, types, tenants, Integer.MAX_VALUE), shards, hasKeys);
    }

    /** Begins a read behind the backlog. Returns the parallel keys that it leaves out. */
    Set<String> beginBehind() {
        looks.end();
        keys.beginBehind();
        return keys.leftOut();
    }

    /** Begins a look behind the backlog of a type of which todos were left. Returns what it leaves out. */
    Exclusion beginLook(Set<String> fullKeys) {
        Set<String> leftOut = beginBehind();
        leftOut.addAll(fullKeys);
        return looks.begin(types, tenants, leftOut);
    }

    /** Returns what is known of the parallel keys of todos that were left. */
    LeftKeys keys() {
        return keys;
    }

    /** Notes a read up to a time, and the todos of it that are not in the buffer. */
    void read(DueTimers read, Instant to, List<StoredTimer> todos, long tookNanos) {
        looks.hasRead(read.more());
        if (leaves && hasKeys) {
            keys.read(read, to, todos, tookNanos);
        }
    }

    /** Notes todos that are no longer in the buffer although they may be due. */
    void dropped(List<StoredTimer> todos) {
        if (leaves && hasKeys) {
            todos.forEach(keys::add);
        }
    }

    /** Returns when the loop should have a turn to make more parallel keys known. */
    Instant nextTurn() {
        isDue |= keys.takeDue();
        return keys.nextTurn();
    }

    /** Returns whether the loop must read for this. */
    boolean takeDue() {
        boolean due = isDue;
        isDue = false;
        return due;
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
        return entries.countWaiting(
                group -> blockedTypes.contains(group.type()) || blockedTenants.contains(group.tenant()));
    }

    /** Returns whether todos were left in the database. */
    boolean hasLeft() {
        return !types.isEmpty() || !tenants.isEmpty();
    }

    Set<String> types() {
        return types;
    }

    Set<String> tenants() {
        return tenants;
    }
}
