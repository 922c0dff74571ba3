package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.todo.TodoMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The todos that a node holds, in lanes. Todos that must not run at the same time share a lane. The lanes are in the
 * order in which they are served. Guarded by the lock of its {@link TodoBuffer}.
 */
final class TodoLanes {
    /** So many todos of one lane are held, once there is a batch in all, so that a slow one leaves room for others. */
    private static final int LANE = 32;

    /** The lane of all todos of a queue that runs one at a time. */
    private static final String ONLY = "";

    private final TodoMode mode;
    private final Runnable readsAgain;
    private final Map<String, TodoLane> byKey = new HashMap<>();
    private final FairQueue ready = new FairQueue();

    /** How many todos are in lanes of which none is being run: they may run now, or as soon as what ran is settled. */
    private int supply;

    /**
     * Creates none.
     *
     * @param readsAgain run when more of a lane must be read that was full
     */
    TodoLanes(TodoMode mode, Runnable readsAgain) {
        this.mode = mode;
        this.readsAgain = readsAgain;
    }

    /** Returns the lane of a todo. */
    TodoLane of(StoredTimer todo) {
        String key = mode == TodoMode.SEQUENTIAL
                ? ONLY
                : mode == TodoMode.PARALLEL_BY_KEY ? todo.content().parallelKey() : null;
        return key == null ? new TodoLane(null) : byKey.computeIfAbsent(key, TodoLane::new);
    }

    /**
     * Adds a todo, if its lane has room.
     *
     * @param plenty whether there is as much in other lanes as is wanted
     * @return whether it had
     */
    boolean add(Entry entry, boolean plenty) {
        TodoLane lane = entry.lane;
        if (lane.key != null && lane.waiting() >= LANE && plenty) {
            lane.truncated = true;
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

    /** Returns the lane that is next, and takes it out; then one of its todos runs, or it is put back. */
    @Nullable
    TodoLane poll() {
        return ready.poll();
    }

    void putBack(TodoLane lane) {
        ready.add(lane);
    }

    /** Takes the next todo of a lane that was taken out. */
    Entry begin(TodoLane lane) {
        Entry entry = lane.begin();
        place(lane);
        return entry;
    }

    /** Notes that a run is over, and will be settled. */
    void finishing(TodoLane lane) {
        lane.finishing = true;
        count(lane);
    }

    /** Ends a run: the next of the lane may run, or what went on first. */
    void ended(TodoLane lane, @Nullable Entry goesOn) {
        lane.finishing = false;
        lane.running = null;
        if (goesOn != null) {
            lane.resume(goesOn);
        }
        place(lane);
    }

    /** Gives a lane the place in the order that is due to what it has next now. */
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
        if (lane.key != null && lane.isEmpty()) {
            byKey.remove(lane.key);
        }
        count(lane);
        refill(lane);
    }

    private void count(TodoLane lane) {
        int supplied = lane.next != null || lane.finishing ? lane.size() : 0;
        supply += supplied - lane.supplied;
        lane.supplied = supplied;
    }

    /** Lets more of a lane be read that was full, once little of it is left. */
    private void refill(TodoLane lane) {
        if (lane.truncated && lane.waiting() <= LANE / 4) {
            lane.truncated = false;
            readsAgain.run();
        }
    }

    /** Returns how many lanes have a todo that may run. */
    int readyCount() {
        return ready.size();
    }

    /** Returns how many todos are in lanes of which none is being run: what the workers have before they need more. */
    int supply() {
        TodoLane only = only();
        return only != null ? only.size() : supply;
    }

    private @Nullable TodoLane only() {
        return mode == TodoMode.SEQUENTIAL ? byKey.get(ONLY) : null;
    }

    /** Returns the parallel keys of which no more is taken in for now. */
    Set<String> fullKeys() {
        return mode != TodoMode.PARALLEL_BY_KEY
                ? Set.of()
                : byKey.entrySet().stream()
                        .filter(each -> each.getValue().truncated)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Returns whether no more is taken in for now of the one lane of a queue that runs one at a time. */
    boolean isOnlyFull() {
        TodoLane only = only();
        return only != null && only.truncated;
    }
}
