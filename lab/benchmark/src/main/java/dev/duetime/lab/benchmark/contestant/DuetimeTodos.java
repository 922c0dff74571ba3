package dev.duetime.lab.benchmark.contestant;

import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Duetime with a todo queue of default settings, except for mode and retention, which the variant sets. */
final class DuetimeTodos implements Contestant {
    private static final String TYPE = "no-op";
    private static final int KEYS = 1_000;

    private final Site site;
    private final TodoQueue queue;
    private final Scheduler scheduler;

    DuetimeTodos(Site site, TodoMode mode) {
        this.site = site;
        queue = TodoQueue.builder(Timer.DEFAULT_QUEUE)
                .type(TYPE, Object.class, (todo, run) -> {
                    site.deliveries().take(1, i -> todo.startAt());
                    return Outcome.complete();
                })
                .mode(mode)
                .build();
        scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(site.dataSource()))
                .todoQueue(queue)
                .retention(site.keep() ? Duration.ofDays(7) : Duration.ZERO)
                .build();
    }

    @Override
    public void schedule(List<Entry> timers) {
        queue.enqueueAll(timers.stream().map(DuetimeTodos::todo).toList());
    }

    private static NewTodo todo(Entry entry) {
        return NewTodo.of(TYPE, Payload.wrap(Entry.PAYLOAD_BYTES))
                .id(entry.id())
                .parallelKey("key-" + Math.floorMod(entry.id().hashCode(), KEYS))
                .startAt(entry.dueAt());
    }

    @Override
    public void start() {
        scheduler.start();
    }

    @Override
    public boolean isReady(int nodes) throws SQLException {
        return TimerTable.isShared(site.dataSource(), shards(), nodes);
    }

    @Override
    public boolean isSettled() throws SQLException {
        return TimerTable.isSettled(site.dataSource(), shards());
    }

    @Override
    public PendingTimers pending() {
        return TimerTable.pending(shards());
    }

    private int shards() {
        return site.kind().isEmbedded() ? 4 : 64;
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
