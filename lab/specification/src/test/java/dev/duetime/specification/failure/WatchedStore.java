package dev.duetime.specification.failure;

import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.PassThroughTodos;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that notes calls that are made with the interrupt flag set. An embedded H2 does not survive such a call.
 */
final class WatchedStore extends PassThroughStore {
    final List<String> callsInterrupted = new ArrayList<>();

    WatchedStore(TestClock clock) {
        super(new InMemoryScheduleStore(clock));
    }

    private void note(String call) {
        if (Thread.currentThread().isInterrupted()) {
            callsInterrupted.add(call);
        }
    }

    @Override
    public DueTimers due(DueQuery query) {
        note("due");
        return super.due(query);
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        note("nextDue");
        return super.nextDue(queue, shards, after);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        note("schedule");
        return super.schedule(timers);
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        note("query");
        return super.query(query);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        note("purge");
        return super.purge(queue, before, limit);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        note("settle");
        return super.settle(settlements);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        note("start");
        return super.start(key, generation, now);
    }

    @Override
    public ListStore todos() {
        note("todos");
        return new PassThroughTodos(super.todos()) {
            @Override
            public void put(List<ListItem> items) {
                note("put");
                super.put(items);
            }

            @Override
            public int remove(List<ListKey> keys) {
                note("remove");
                return super.remove(keys);
            }

            @Override
            public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
                note("overdue");
                return super.overdue(list, now, after, limit);
            }

            @Override
            public int removeUnmoved(List<ListItem> items) {
                note("removeUnmoved");
                return super.removeUnmoved(items);
            }

            @Override
            public Optional<ListItem> find(ListKey key) {
                note("find");
                return super.find(key);
            }
        };
    }
}
