package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.todo.TodoMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The todos that a node holds, in lanes. Todos that must not run at the same time share a lane. The lanes are in the
 * order in which they are served. Guarded by the lock of its {@link TodoBuffer}.
 */
final class TodoLanes {
    /**
     * The number of todos that one lane may hold while the buffer holds a batch or more. So a slow lane leaves room for
     * others.
     */
    private static final int LANE = 32;

    /** The lane of all todos of a queue that runs one at a time. */
    private static final String ONLY = "";

    private final TodoMode mode;
    private final int most;
    private final Consumer<String> refills;
    private final Map<String, TodoLane> byKey = new HashMap<>();
    private final FairQueue ready = new FairQueue();

    /**
     * The supply: how many todos are in lanes without a run. They may run now, or as soon as the last run is settled.
     */
    private int supply;

    /**
     * Creates no lanes yet.
     *
     * @param most how many todos of one parallel key may run at once
     * @param refills called with the key of a lane that was full and has room, so that its todos must be read again
     */
    TodoLanes(TodoMode mode, int most, Consumer<String> refills) {
        this.mode = mode;
        this.most = mode == TodoMode.PARALLEL_BY_KEY ? most : 1;
        this.refills = refills;
    }

    TodoMode mode() {
        return mode;
    }

    /** Returns the key of a todo's lane; null if the todo has a lane of its own. */
    @Nullable
    String keyOf(StoredTimer todo) {
        // No switch: it would need a class that is initialized late, when there may be no memory.
        if (mode == TodoMode.SEQUENTIAL) {
            return ONLY;
        }
        return mode == TodoMode.PARALLEL_BY_KEY ? todo.content().parallelKey() : null;
    }

    /** Returns the lane of a todo. */
    TodoLane of(StoredTimer todo) {
        String key = keyOf(todo);
        return key == null ? new TodoLane(null, 1) : byKey.computeIfAbsent(key, known -> new TodoLane(known, most));
    }

    /** Returns the lane of other todos with the same parallel key; null if there is none. */
    @Nullable
    TodoLane known(StoredTimer todo) {
        String key = todo.content().parallelKey();
        return mode == TodoMode.PARALLEL_BY_KEY && key != null ? byKey.get(key) : null;
    }

    /** Notes that a todo was read for which its lane has no room. */
    void truncate(TodoLane lane) {
        lane.truncate(LANE);
    }

    /**
     * Adds a todo, if its lane has room. A lane that has refused a todo takes no later one before it is filled again.
     *
     * @param plenty whether the buffer holds enough without this todo
     * @return whether the lane had room
     */
    boolean add(Entry entry, boolean plenty) {
        TodoLane lane = entry.lane;
        boolean isFull = lane.isHeldUp() || (lane.waiting() >= LANE && plenty);
        if (lane.key != null && !lane.truncated && isFull) {
            truncate(lane);
        }
        if (lane.truncated) {
            return false;
        }
        lane.add(entry);
        place(lane);
        return true;
    }

    /** Removes a todo that waits. */
    void remove(Entry entry) {
        entry.lane.remove(entry);
        place(entry.lane);
    }

    /** Returns the first lane that may begin. */
    @Nullable
    TodoLane first(Predicate<TodoLane> mayBegin) {
        return ready.first(mayBegin);
    }

    /** Takes the next todo of a lane. This is a turn of its tenant. */
    Entry begin(TodoLane lane) {
        ready.serve(lane);
        Entry entry = lane.begin();
        place(lane);
        return entry;
    }

    /** Notes that a run has ended, and is about to be settled. */
    void finishing(Entry entry) {
        entry.lane.finishing(entry);
        count(entry.lane);
    }

    /**
     * Notes that an outcome cannot be written now. What waits behind it is no supply, since nobody knows how long that
     * lasts.
     */
    void setAside(Entry entry) {
        entry.lane.setAside(entry);
        count(entry.lane);
    }

    /**
     * Ends a run. After it the next todo of the lane may run.
     *
     * @param goesOn whether the same todo may run its next step before that
     */
    void ended(Entry entry, boolean goesOn) {
        TodoLane lane = entry.lane;
        lane.end(entry);
        if (goesOn) {
            lane.resume(entry);
        }
        place(lane);
    }

    /** Removes all todos but those that run, after an error between two changes. */
    void keepOnly(Collection<Entry> running) {
        byKey.forEach((key, lane) -> {
            if (lane.truncated) {
                refills.accept(key);
            }
        });
        byKey.clear();
        ready.clear();
        supply = 0;
        running.forEach(each -> each.lane.clear());
        for (Entry each : running) {
            each.lane.countRunning(each);
            if (each.lane.key != null) {
                byKey.put(each.lane.key, each.lane);
            }
        }
    }

    /** Gives a lane the place in the order that its next todo has now. */
    private void place(TodoLane lane) {
        Entry next = lane.first();
        if (next != lane.next) {
            if (lane.next != null) {
                ready.remove(lane);
            }
            lane.next = next;
            if (next != null) {
                ready.add(lane);
            }
        }
        count(lane);
        refill(lane);
        if (lane.key != null && lane.isEmpty()) {
            byKey.remove(lane.key);
        }
    }

    private void count(TodoLane lane) {
        int supplied = lane.isSupply() ? lane.size() : 0;
        supply += supplied - lane.supplied;
        lane.supplied = supplied;
    }

    /** Requests another read for a lane that was full, once few of its todos are left. */
    private void refill(TodoLane lane) {
        if (lane.key != null && lane.mayRefill()) {
            refills.accept(lane.key);
            lane.truncated = false;
        }
    }

    /** Returns how many lanes have a todo that may run. */
    int readyCount() {
        return ready.size();
    }

    /** Returns how many todos are in lanes without a run: the supply that the workers have before they need more. */
    int supply() {
        TodoLane only = only();
        return only != null ? only.size() : supply;
    }

    private @Nullable TodoLane only() {
        return mode == TodoMode.SEQUENTIAL ? byKey.get(ONLY) : null;
    }

    /** Returns the parallel keys whose lanes are full. */
    Set<String> fullKeys() {
        return mode != TodoMode.PARALLEL_BY_KEY
                ? Set.of()
                : byKey.entrySet().stream()
                        .filter(each -> each.getValue().truncated)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Returns whether the only lane of a sequential queue is full. */
    boolean isOnlyFull() {
        TodoLane only = only();
        return only != null && only.truncated;
    }
}
