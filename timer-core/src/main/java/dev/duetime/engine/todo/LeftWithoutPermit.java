package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.loop.LeftKeys;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The types and tenants with limits, of which some todos were left in the database. The buffer holds only as many todos
 * of each as can begin in about a second, so that they leave room for others, also in the moment in which there is a
 * permit for one of them. Todos of a parallel key of which one was left are left, too, so that they do not overtake it.
 * A sequential queue leaves none, because all todos wait for the first. Guarded by the lock of its {@link TodoBuffer}.
 */
final class LeftWithoutPermit {
    /** After this time a todo that was left may have been cancelled, and holds back its parallel key in vain. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final boolean leaves;
    private final boolean hasKeys;
    private final Clock clock;
    private final LimitedTodos limited;
    private final Supplier<Stream<Entry>> waiting;
    private final TodoLanes lanes;
    private final QueuePermits permits;
    private final Set<String> types = new HashSet<>();
    private final Set<String> tenants = new HashSet<>();
    private final LeftKeys keys = new LeftKeys();
    private final TypeLooks looks;

    /** When the first of the keys was left. */
    private long keysSinceNanos;

    /** Whether the last read left out types or tenants. */
    private boolean leavesOut;

    /** Whether it left out none, so that more parallel keys are known. */
    private boolean learns;

    private boolean isBehind;
    private boolean hasGrown;

    /**
     * Creates the set. Nothing is left yet.
     *
     * @param waiting the todos in the buffer that do not run
     * @param readBytes how many bytes of payloads one read takes
     */
    LeftWithoutPermit(
            QueuePermits permits, TodoLanes lanes, Clock clock, Supplier<Stream<Entry>> waiting, long readBytes) {
        this.permits = permits;
        this.lanes = lanes;
        this.clock = clock;
        this.waiting = waiting;
        leaves = permits.isLimited() && lanes.mode() != TodoMode.SEQUENTIAL;
        hasKeys = lanes.mode() == TodoMode.PARALLEL_BY_KEY;
        limited = new LimitedTodos(permits, waiting, readBytes);
        looks = new TypeLooks(limited, waiting, hasKeys);
    }

    /** Returns which new todos of a read are left: those that would wait for a permit behind many others. */
    Predicate<StoredTimer> beginRead() {
        if (!leaves) {
            return todo -> false;
        }
        Predicate<StoredTimer> ofLook = looks.admission();
        if (ofLook != null) {
            return ofLook;
        }
        LimitedTodos.Counts counts = limited.count();
        return todo -> {
            if (hasKeys && mustWait(todo)) {
                return true;
            }
            boolean ofType = counts.isFullOfType(todo);
            boolean ofTenant = counts.isFullOfTenant(todo);
            hasGrown |= ofType && types.add(LimitedTodos.typeOf(todo));
            hasGrown |= ofTenant && tenants.add(LimitedTodos.tenantOf(todo));
            if (ofType || ofTenant) {
                leave(todo);
                return true;
            }
            TodoLane lane = lanes.known(todo);
            if (lane != null && counts.isFullOfKey(todo, lane)) {
                lanes.truncate(lane);
                return true;
            }
            counts.add(todo, lane);
            return false;
        };
    }

    private boolean mustWait(StoredTimer todo) {
        if (learns && (types.contains(LimitedTodos.typeOf(todo)) || tenants.contains(LimitedTodos.tenantOf(todo)))) {
            keys.add(todo);
            return true;
        }
        boolean isEmpty = keys.isEmpty();
        boolean waits = keys.mustWait(todo, leavesOut && !learns);
        keysSinceNanos = isEmpty ? clock.nanoTime() : keysSinceNanos;
        return waits;
    }

    private void leave(StoredTimer todo) {
        if (hasKeys) {
            keys.add(todo);
        }
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
     * Forgets those for which the buffer has room again. The parallel keys are kept until a read returns their todos
     * again: one behind the backlog does not.
     */
    void dropWithRoom() {
        if (!types.isEmpty() || !tenants.isEmpty()) {
            LimitedTodos.Counts counts = limited.count();
            types.removeIf(counts::hasRoomOfType);
            tenants.removeIf(counts::hasRoomOfTenant);
        }
        keys.retain(types, tenants);
        begin(false);
        learns = keys.areWanted();
    }

    /** Begins a read behind the backlog. */
    void beginBehind() {
        begin(true);
    }

    /** Begins a look behind the backlog of a type of which todos were left. Returns what it leaves out. */
    Exclusion beginLook(Set<String> leftKeys) {
        begin(true);
        return looks.begin(types, tenants, leftKeys);
    }

    private void begin(boolean behind) {
        looks.end();
        isBehind = behind;
        leavesOut = !types.isEmpty() || !tenants.isEmpty();
        learns = false;
        hasGrown = false;
    }

    /** Returns whether this read makes more parallel keys known. */
    boolean learns() {
        return learns;
    }

    /** Returns from when on such a read reads. */
    Instant learnsFrom() {
        return keys.learn();
    }

    /** Returns whether todos wait until more parallel keys are known. */
    boolean wantsKeys() {
        return keys.areWanted();
    }

    /** Notes a read, up to a time, and that what was read of it is in the buffer or left. */
    void readTo(DueTimers read, Instant to) {
        looks.hasRead(read.more());
        Instant end = LeftKeys.endOf(read, to);
        if (learns) {
            keys.learned(end, read.more());
        } else if (!leavesOut && !isBehind) {
            keys.knownTo(end);
        } else if (hasGrown) {
            keys.knownAtMostTo(isBehind ? Instant.MIN : end);
        }
    }

    /** Makes the next read for parallel keys include a todo that is due at that time. */
    void announced(Instant dueAt) {
        keys.knownAtMostTo(dueAt);
    }

    /** Returns whether parallel keys are held back for so long that their todos must be read again. */
    boolean areKeysStale() {
        return !keys.isEmpty() && clock.nanoTime() - keysSinceNanos > FRESH_NANOS;
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
                .filter(each -> blockedTypes.contains(LimitedTodos.typeOf(each.todo))
                        || blockedTenants.contains(LimitedTodos.tenantOf(each.todo)))
                .count();
    }

    Set<String> types() {
        return types;
    }

    Set<String> tenants() {
        return tenants;
    }

    /** Returns the parallel keys of todos that were left. */
    Set<String> keys() {
        return keys.leftOut();
    }
}
