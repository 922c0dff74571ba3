package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.hosts.HostSet;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** One scheduler on several PostgreSQL databases. */
class HostSetOnDatabasesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final PostgresDatabases databases = new PostgresDatabases();
    private final HikariDataSource a = FreshDatabases.pool(databases.createDatabase());
    private final HikariDataSource b = FreshDatabases.pool(databases.createDatabase());
    private final JdbcScheduleStore storeA = JdbcScheduleStore.of(a);
    private final JdbcScheduleStore storeB = JdbcScheduleStore.of(b);
    private final HostSet hosts =
            HostSet.builder().host("a", storeA).host("b", storeB).build();
    private final List<String> ran = new ArrayList<>();

    private final TodoQueue queue =
            TodoQueue.builder("work").type("job", Integer.class, this::handle).build();

    @AfterEach
    void close() {
        a.close();
        b.close();
        databases.close();
    }

    private Outcome handle(Todo<Integer> todo, TodoRun run) throws SQLException {
        if (todo.payload() == 1) {
            queue.enqueue(NewTodo.of("job", 0).id(todo.id() + "-child"), run);
        }
        if (todo.payload() == 2) {
            Connection own = run.transaction(JdbcTransaction.class).connection();
            try (Statement statement = own.createStatement()) {
                statement.execute("INSERT INTO effects VALUES ('" + todo.id() + "')");
            }
        }
        ran.add(todo.id());
        return Outcome.complete();
    }

    private static long rows(HikariDataSource database, String of) {
        return Long.parseLong(
                JdbcPart.rows(database, "SELECT count(*) FROM " + of).get(0));
    }

    private static TimerKit kit(HostSet hosts, TodoQueue queue) {
        return TimerKit.builder()
                .store(hosts)
                .configure(settings -> settings.todoQueue(queue))
                .build();
    }

    private static List<Timer> timers(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> Timer.at(prefix + i, TestClock.START.plus(MINUTE)).build())
                .toList();
    }

    @Test
    void timersAndTodosAreDeliveredOnceWhileAHostIsAdded() {
        TimerKit before = kit(hosts, queue);
        before.scheduler().scheduleAll(timers("t-", 200));
        for (int i = 0; i < 100; i++) {
            queue.enqueue(NewTodo.of("job", i < 10 ? 1 : 0)
                    .id("j-" + i)
                    .parallelKey("k-" + i % 20)
                    .startAfter(MINUTE));
        }
        assertThat(rows(a, "timer_schedules")).isBetween(110L, 190L);
        assertThat(rows(a, "timer_schedules") + rows(b, "timer_schedules")).isEqualTo(300);
        before.close();

        try (HikariDataSource c = FreshDatabases.pool(databases.createDatabase())) {
            HostSet more = HostSet.builder()
                    .host("a", storeA)
                    .host("b", storeB)
                    .added("c", JdbcScheduleStore.of(c))
                    .build();
            try (TimerKit kit = kit(more, queue)) {
                assertThat(kit.scheduler().scheduleAll(timers("t-", 200)))
                        .allMatch(each -> each.outcome() == ScheduleOutcome.UNCHANGED);
                assertThat(rows(c, "timer_schedules")).isZero();
                kit.scheduler().scheduleAll(timers("u-", 200));
                assertThat(rows(c, "timer_schedules")).isBetween(40L, 95L);
                kit.advance(MINUTE.plus(MINUTE));

                assertThat(kit.delivered()).hasSize(400);
                assertThat(ran).hasSize(110).doesNotHaveDuplicates();
                assertThat(rows(c, "timer_schedules WHERE state = 'SCHEDULED'")).isZero();
            }
        }
    }

    @Test
    void aTransactionOfACallerOrHandlerUsesOneDatabase() throws SQLException {
        JdbcPart.execute(a, "CREATE TABLE effects (id text PRIMARY KEY)");
        JdbcPart.execute(b, "CREATE TABLE effects (id text PRIMARY KEY)");
        try (TimerKit kit = kit(hosts, queue);
                Connection connection = a.getConnection()) {
            String onA = key("a");
            String onB = key("b");
            connection.setAutoCommit(false);
            Timers joined = kit.scheduler().in(hosts.on("a", JdbcTransaction.of(connection)));
            joined.schedule(Timer.after("mine", MINUTE).shardingKey(onA).build());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> joined.schedule(
                            Timer.after("other", MINUTE).shardingKey(onB).build()))
                    .withMessageContaining("lies on host b");
            assertThat(rows(a, "timer_schedules")).isZero();
            connection.commit();
            assertThat(rows(a, "timer_schedules")).isOne();
            assertThat(rows(b, "timer_schedules")).isZero();

            queue.enqueue(NewTodo.of("job", 2).id("effect").shardingKey(onB));
            kit.runDue();
            assertThat(rows(b, "effects")).isOne();
            assertThat(rows(a, "effects")).isZero();
        }
    }

    private String key(String host) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "customer-" + i)
                .filter(key -> hosts.hostOf(key).equals(host))
                .findFirst()
                .orElseThrow();
    }

    /** Prints figures: {@code -Dduetime.hosts.todos=20000}. */
    @Test
    @EnabledIfSystemProperty(named = "duetime.hosts.todos", matches = "[1-9]\\d*")
    void todosOfManyKeysRunOnceAndOneAtATimeOnTwoNodes() throws InterruptedException {
        int todos = Integer.getInteger("duetime.hosts.todos");
        CountDownLatch all = new CountDownLatch(2 * todos);
        Set<String> running = ConcurrentHashMap.newKeySet();
        Map<String, Integer> times = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        List<Scheduler> nodes = new ArrayList<>();
        List<TodoQueue> queues = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            TodoQueue work = TodoQueue.builder("work")
                    .type("job", Integer.class, (todo, run) -> {
                        String key = String.valueOf(todo.parallelKey());
                        overlaps.addAndGet(running.add(key) ? 0 : 1);
                        times.merge(todo.id(), 1, Integer::sum);
                        running.remove(key);
                        all.countDown();
                        return Outcome.complete();
                    })
                    .build();
            queues.add(work);
            nodes.add(Scheduler.builder()
                    .store(hosts)
                    .publisher(batch -> batch.forEach(each -> {
                        times.merge(each.event().key().timerId(), 1, Integer::sum);
                        all.countDown();
                    }))
                    .todoQueue(work)
                    .build());
        }
        List<NewTodo> enqueued = IntStream.range(0, todos)
                .mapToObj(i -> NewTodo.of("job", 0).id("j-" + i).parallelKey("k-" + i % 100))
                .toList();
        List<Timer> scheduled = IntStream.range(0, todos)
                .mapToObj(i -> Timer.after("t-" + i, Duration.ZERO).build())
                .toList();
        long begun = System.nanoTime();
        for (int i = 0; i < todos; i += 1_000) {
            queues.get(0).enqueueAll(enqueued.subList(i, Math.min(todos, i + 1_000)));
            nodes.get(0).scheduleAll(scheduled.subList(i, Math.min(todos, i + 1_000)));
        }
        double stored = (System.nanoTime() - begun) / 1e9;
        long onA = rows(a, "timer_schedules");
        long onB = rows(b, "timer_schedules");
        nodes.forEach(Scheduler::start);
        long started = System.nanoTime();
        boolean ended = all.await(200, TimeUnit.SECONDS);
        double took = (System.nanoTime() - started) / 1e9;
        nodes.forEach(Scheduler::close);

        System.out.printf(
                "%,d timers and %,d todos of 100 keys: %,d on a, %,d on b; stored in %.1f s, delivered in %.1f s (%,.0f/s)%n",
                todos, todos, onA, onB, stored, took, 2 * todos / took);
        assertThat(ended).isTrue();
        assertThat(overlaps).hasValue(0);
        assertThat(times)
                .hasSize(2 * todos)
                .allSatisfy((id, count) -> assertThat(count).isOne());
        assertThat(rows(a, "timer_schedules WHERE state <> 'REACHED'")).isZero();
        assertThat(rows(b, "timer_schedules WHERE state <> 'REACHED'")).isZero();
    }
}
