package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.CutConnections;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rule that several nodes may start for the first time at once, although one of them dies in the middle: the others
 * complete the tables, and it starts again. The contract tests both alone.
 */
@Tag("full")
class FirstStartsTest {
    private static final int NODES = 4;
    private static final int LAST_STATEMENT = 31;
    private static final int STEP = 5;

    static Stream<Arguments> databases() {
        return Stream.of(Database.values())
                .flatMap(kind -> Stream.of("", "app_").map(prefix -> Arguments.of(kind, prefix)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void oneOfTheNodesThatStartAtOnceMayDie(Database kind, String prefix) throws Exception {
        int died = 0;
        for (int number = 1; number < LAST_STATEMENT; number += STEP) {
            try (FreshDatabases databases = kind.open()) {
                died += start(databases.create(), prefix, number) ? 1 : 0;
            }
        }
        assertThat(died).isPositive();
    }

    /** Returns whether the first node died. */
    private static boolean start(String url, String prefix, int number) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        List<HikariDataSource> pools = new ArrayList<>();
        try {
            CyclicBarrier start = new CyclicBarrier(NODES);
            // In half of the rounds it writes first, so that it dies in the middle whoever is faster.
            CountDownLatch writes = new CountDownLatch(number % 2);
            List<Callable<JdbcScheduleStore>> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                HikariDataSource pool = FreshDatabases.pool(url);
                pools.add(pool);
                boolean dies = i == 0;
                nodes.add(() -> {
                    start.await();
                    if (dies) {
                        return openUntilCut(pool, prefix, number, writes::countDown);
                    }
                    writes.await();
                    return open(pool, prefix);
                });
            }
            boolean died = false;
            for (Future<JdbcScheduleStore> each : threads.invokeAll(nodes)) {
                try {
                    each.get();
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof CutConnections.Cut)) {
                        throw new AssertionError(
                                "a node did not start beside one that died at " + number, e.getCause());
                    }
                    died = true;
                }
            }
            assertThat(schedule(open(pools.get(1), prefix))).isEqualTo(ScheduleOutcome.CREATED);
            return died;
        } finally {
            threads.shutdownNow();
            pools.forEach(HikariDataSource::close);
        }
    }

    /** Ends the sessions of the node that dies, as the end of its process does. */
    private static JdbcScheduleStore openUntilCut(HikariDataSource pool, String prefix, int number, Runnable onWrite) {
        try {
            return open(new CutConnections(pool, number, number % 3 == 0, onWrite), prefix);
        } catch (CutConnections.Cut e) {
            pool.close();
            throw e;
        } finally {
            onWrite.run();
        }
    }

    private static JdbcScheduleStore open(DataSource pool, String prefix) {
        return prefix.isEmpty()
                ? JdbcScheduleStore.of(pool)
                : JdbcScheduleStore.builder(pool).tablePrefix(prefix).build();
    }

    private static ScheduleOutcome schedule(JdbcScheduleStore store) {
        try (Scheduler scheduler = Scheduler.builder().store(store).build()) {
            return scheduler
                    .schedule(Timer.after("a", Duration.ofHours(1)).build())
                    .outcome();
        }
    }
}
