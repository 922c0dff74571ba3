package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * The program of a node whose small todos have next steps with large payloads. The exit code is 0 if all of them were
 * run. The JVM ends by itself if memory runs out.
 */
final class HeavyStepsProcess {
    private static final int TODOS = 200;
    private static final int LENGTH = 500_000;

    private static final CountDownLatch ALL = new CountDownLatch(TODOS);

    private HeavyStepsProcess() {}

    /** Runs the program on the database of a URL. */
    public static void main(String[] args) throws InterruptedException {
        HikariDataSource pool = FreshDatabases.pool(args[0]);
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> handle(todo))
                .build();
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .todoQueue(queue)
                .build();
        queue.enqueueAll(IntStream.range(0, TODOS)
                .mapToObj(i -> NewTodo.of("job", "small").id("t" + i))
                .toList());
        scheduler.start();
        ALL.await();
        Runtime.getRuntime().halt(0);
    }

    private static Outcome handle(Todo<String> todo) {
        if (todo.step().equals("start")) {
            String letter = Character.toString('a' + Math.floorMod(todo.id().hashCode(), 26));
            return Outcome.next("two").with(letter.repeat(LENGTH));
        }
        if (todo.payload().length() == LENGTH) {
            ALL.countDown();
        }
        return Outcome.complete();
    }
}
