package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueQuery.Exclusion;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the queue's loop must read again: todos that are due and no longer in memory. The other todos of their lanes
 * must not overtake them. So such a lane takes in nothing until a read includes them. Guarded by the lock of its {@link
 * TodoBuffer}.
 */
final class Rereads {
    /**
     * The todos that are no longer in memory although they may be due, without their contents, by generation. A full
     * buffer takes them late, and may meet the same one in each of its reads.
     */
    private final Map<Long, StoredTimer> dropped = new HashMap<>();

    private boolean requested;

    /**
     * The todos that were settled during a read, which may return their former state. The value is the generation that
     * must not run again; null if the todo must be read again.
     */
    private final Map<TimerKey, @Nullable Long> settledSince = new HashMap<>();

    /** The lanes that wait for a read, by key. The values are the tenants of the todos that it must include. */
    private final Map<String, Set<String>> lanes = new HashMap<>();

    /** Those of the lanes of which todos were left in the database: these may belong to other tenants, too. */
    private final Set<String> ofAnyTenant = new HashSet<>();

    /** Those of the lanes for which the loop has taken the request: its next read of all due todos includes them. */
    private final Set<String> asked = new HashSet<>();

    /** Those of the lanes whose todos the read under way includes. */
    private final Set<String> included = new HashSet<>();

    /** What the next read is to leave out, so that it finds the tenant whose turn it is; null if nothing. */
    private @Nullable Exclusion turn;

    /** Makes the loop read all due todos again. */
    void request() {
        requested = true;
    }

    /** Notes a todo that is no longer in memory although it may be due. */
    void drop(StoredTimer todo) {
        dropped.put(todo.generation(), StoredTimers.withoutContent(todo, null));
    }

    /** Notes a todo that is read again, and that no other one of its lane must overtake. */
    void dropInPlace(Entry entry) {
        drop(entry.todo);
        request();
        String key = entry.lane.key;
        if (key != null) {
            await(key).add(entry.todo.key().tenantId());
        }
    }

    /** Notes that a lane has room again. None of its later todos must overtake those that were left in the database. */
    void refill(String lane) {
        request();
        await(lane);
        ofAnyTenant.add(lane);
    }

    private Set<String> await(String lane) {
        asked.remove(lane);
        included.remove(lane);
        return lanes.computeIfAbsent(lane, unknown -> new HashSet<>());
    }

    /** Returns whether a lane waits for a read other than the one under way. */
    boolean isAwaited(@Nullable String lane) {
        return lane != null && lanes.containsKey(lane) && !included.contains(lane);
    }

    /** Notes what the first of the next reads is to leave out. */
    void beginWithTurn(Exclusion leftOut) {
        turn = leftOut;
    }

    /** Returns whether the loop must read all due todos again. */
    boolean isRequested() {
        return requested;
    }

    /** Returns whether the loop must read all due todos again, and resets the request. */
    boolean take() {
        boolean again = requested;
        if (again) {
            asked.addAll(lanes.keySet());
        }
        requested = false;
        return again;
    }

    /** Takes the todos that are no longer in memory although they may be due. */
    List<StoredTimer> takeDropped() {
        List<StoredTimer> taken = List.copyOf(dropped.values());
        dropped.clear();
        return taken;
    }

    /** Returns the tenants of the todos that are no longer in memory although they may be due. */
    Set<String> droppedTenants() {
        return dropped.values().stream().map(each -> each.key().tenantId()).collect(Collectors.toSet());
    }

    /** Begins a read: it may still show the former state of todos that are settled from now on. */
    void beginRead() {
        settledSince.clear();
        included.clear();
    }

    /** Notes that the read includes all due todos, but those whose parallel keys it leaves out. */
    void readsAll() {
        included.addAll(asked);
        turn = null;
    }

    /**
     * Begins a read for the tenant whose turn it is. It includes the todos of all tenants but these.
     *
     * @return what it leaves out; null if no tenant waits for such a read
     */
    @Nullable
    Exclusion takeTurn() {
        Exclusion leftOut = turn;
        turn = null;
        if (leftOut != null) {
            lanes.forEach((key, tenants) -> {
                if (!ofAnyTenant.contains(key) && Collections.disjoint(tenants, leftOut.tenants())) {
                    included.add(key);
                }
            });
        }
        return leftOut;
    }

    /** Ends a read, whose todos are in memory or were left. */
    void endRead() {
        lanes.keySet().removeAll(included);
        ofAnyTenant.removeAll(included);
        asked.removeAll(included);
        included.clear();
    }

    /** Notes that a run has ended. A read under way may return the former state of its todo. */
    void ended(StoredTimer todo, boolean mustNotRunAgain) {
        settledSince.put(todo.key(), mustNotRunAgain ? todo.generation() : null);
    }

    /** Returns whether a todo that was read must not run again: it was settled during the read. */
    boolean isOutdated(StoredTimer read) {
        return Objects.equals(settledSince.get(read.key()), read.generation());
    }

    /** Returns whether the run of a todo has ended during the read. */
    boolean hasEnded(StoredTimer read) {
        return settledSince.containsKey(read.key());
    }
}
