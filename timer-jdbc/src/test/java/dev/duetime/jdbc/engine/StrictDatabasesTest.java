package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that no call is lost, and no loop stops, where all connections are SERIALIZABLE: two nodes with limits,
 * hints, merges and pauses, while callers and operators work on the same tables.
 */
@Execution(ExecutionMode.CONCURRENT)
class StrictDatabasesTest {
    private static final int CALLERS = 4;
    private static final int CALLS = 40;
    private static final int SUM = CALLERS * CALLS;
    private static final Duration SHORTLY = Duration.ofMillis(300);

    private final Set<TimerKey> delivered = ConcurrentHashMap.newKeySet();
    private final CountDownLatch timers = new CountDownLatch(2 * SUM);
    private final CountDownLatch todos = new CountDownLatch(SUM);
    private final AtomicInteger sum = new AtomicInteger();

    private static HikariDataSource strict(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(10);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        return new HikariDataSource(config);
    }

    private TodoQueue queue() {
        return TodoQueue.builder("work")
                .workers(4)
                .type(
                        "add",
                        Integer.class,
                        (todo, run) -> {
                            sum.addAndGet(todo.payload());
                            for (int i = 0; i < todo.payload(); i++) {
                                todos.countDown();
                            }
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
    }

    private Scheduler node(HikariDataSource pool, TodoQueue queue) {
        return Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .todoQueue(queue)
                .queue(
                        Timer.DEFAULT_QUEUE,
                        settings -> settings.publisher(batch -> batch.forEach(each -> {
                                    if (delivered.add(each.key())) {
                                        timers.countDown();
                                    }
                                }))
                                .concurrency(4)
                                .concurrencyLimit(6)
                                .rateLimit(RateLimit.of(500, Duration.ofSeconds(1))))
                .build();
    }

    private static Callable<Void> calls(int caller, Scheduler scheduler, TodoQueue queue) {
        return () -> {
            for (int i = 0; i < CALLS; i++) {
                String id = caller + "-" + i;
                scheduler.schedule(Timer.after(TimerKey.of("kept", id), SHORTLY).build());
                scheduler.schedule(Timer.after(TimerKey.of("moved", id), Duration.ofDays(1))
                        .build());
                scheduler.schedule(Timer.after(TimerKey.of("cancelled", id), Duration.ofDays(1))
                        .build());
                queue.enqueue(NewTodo.of("add", 1).correlationKey("k" + i % 3).startAfter(SHORTLY));
            }
            return null;
        };
    }

    /** Works on all queues until it is interrupted. */
    private static Callable<Void> operates(Scheduler scheduler, CountDownLatch end) {
        return () -> {
            boolean last = false;
            while (!last) {
                last = end.await(20, TimeUnit.MILLISECONDS);
                scheduler.admin().pause(Timer.DEFAULT_QUEUE);
                scheduler.admin().cancel(TimerQuery.all().tenantId("cancelled"));
                scheduler.admin().resume(Timer.DEFAULT_QUEUE);
                scheduler.admin().reschedule(TimerQuery.all().tenantId("moved"), Instant.now());
                scheduler.admin().purge(TimerQuery.all().tenantId("cancelled"), Instant.now());
                scheduler.admin().queues();
            }
            return null;
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void noCallIsLostAndNoLoopStops(Database kind) throws Exception {
        TodoQueue here = queue();
        TodoQueue there = queue();
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            try (HikariDataSource one = strict(url);
                    HikariDataSource other = strict(url);
                    Scheduler node = node(one, here);
                    Scheduler second = node(other, there)) {
                node.start();
                second.start();
                List<Future<Void>> operators =
                        List.of(threads.submit(operates(node, end)), threads.submit(operates(second, end)));
                List<Callable<Void>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(i % 2 == 0 ? calls(i, node, here) : calls(i, second, there));
                }
                for (Future<Void> each : threads.invokeAll(callers)) {
                    each.get();
                }
                end.countDown();
                for (Future<Void> each : operators) {
                    each.get();
                }
                assertThat(todos.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(timers.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(sum).hasValue(SUM);
                assertThat(node.admin().health().isHealthy(Duration.ofMinutes(1)))
                        .isTrue();
                assertThat(second.admin().health().isHealthy(Duration.ofMinutes(1)))
                        .isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
