package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The program of a node with many queues that have large payloads each, and slow publishers or handlers. The exit code
 * is 0 if it delivered everything. The JVM ends by itself if memory runs out.
 */
final class HeavyQueuesProcess {
    static final int QUEUES = 20;
    static final int EACH = 24;
    private static final int LENGTH = 1_000_000;
    private static final long CALL_MILLIS = 100;

    private final Set<TimerKey> delivered = ConcurrentHashMap.newKeySet();
    private final CountDownLatch all = new CountDownLatch(QUEUES * EACH);
    private final CountDownLatch never = new CountDownLatch(1);

    private HeavyQueuesProcess() {}

    /** Runs the program on the database of a URL; with handlers if there is a second argument. */
    public static void main(String[] args) throws Exception {
        new HeavyQueuesProcess().run(args[0], args.length > 1);
        Runtime.getRuntime().halt(0);
    }

    private void run(String url, boolean handlers) throws Exception {
        HikariDataSource pool = FreshDatabases.pool(url);
        SchedulerBuilder builder = Scheduler.builder().store(JdbcScheduleStore.of(pool));
        List<TodoQueue> todos = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            if (handlers) {
                todos.add(todoQueue("queue-" + i));
                builder.todoQueue(todos.get(i));
            } else {
                builder.queue("queue-" + i, queue -> queue.publisher(this::publish));
            }
        }
        Scheduler scheduler = builder.build();
        for (int i = 0; i < QUEUES * EACH; i++) {
            schedule(scheduler, todos, i % QUEUES, i);
        }
        scheduler.start();
        all.await();
    }

    private void schedule(Scheduler scheduler, List<TodoQueue> todos, int queue, int number) {
        String text = Character.toString('a' + number % 26).repeat(LENGTH);
        if (todos.isEmpty()) {
            scheduler.schedule(Timer.at("t-" + number, Instant.EPOCH.plusSeconds(number))
                    .queue("queue-" + queue)
                    .payload(text)
                    .build());
        } else {
            todos.get(queue).enqueue(NewTodo.of("job", text).id("t-" + number));
        }
    }

    private TodoQueue todoQueue(String name) {
        return TodoQueue.builder(name)
                .type("job", String.class, (todo, run) -> {
                    takeTime();
                    deliver(TimerKey.of(name, todo.id()));
                    return Outcome.complete();
                })
                .build();
    }

    private void publish(List<Envelope> batch) throws InterruptedException {
        takeTime();
        batch.forEach(each -> deliver(each.key()));
    }

    private void takeTime() throws InterruptedException {
        if (never.await(CALL_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts this down");
        }
    }

    private void deliver(TimerKey key) {
        if (delivered.add(key)) {
            all.countDown();
        }
    }
}
