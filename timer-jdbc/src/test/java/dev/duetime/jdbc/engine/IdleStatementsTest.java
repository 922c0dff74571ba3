package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.StatementCounts;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.TestClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that an idle node makes few statements, however many queues and nodes there are. */
class IdleStatementsTest {
    /** Where hints are polled: 60 looks for hints are among them. */
    private static final int MOST_POLLED = 100;

    private static final int MOST_PUSHED = 40;

    /** In virtual time no receiver waits, so the messages with which a receiver checks itself are added. */
    private static final int CHECKS_OF_RECEIVER = 2;

    /** For a minute after shards have moved, nodes ask more often. */
    private static final Duration SETTLED = Duration.ofMinutes(3);

    private static final int MINUTES = 5;
    private static final int MOST_QUEUES = 16;

    private final TestClock clock = new TestClock();

    static Stream<Arguments> fewerQueues() {
        return Stream.of(Database.values()).flatMap(kind -> Stream.of(1, 4).map(queues -> Arguments.of(kind, queues)));
    }

    @ParameterizedTest
    @EnumSource
    void eachOfTwoIdleNodesMakesFewStatementsForManyQueues(Database kind) {
        assertFew(kind, MOST_QUEUES, 2, kind == Database.POSTGRESQL);
    }

    static Stream<Arguments> threeNodes() {
        return Stream.of(Database.values()).flatMap(kind -> Stream.of(1, 10).map(queues -> Arguments.of(kind, queues)));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("threeNodes")
    void eachOfThreeIdleNodesMakesFewStatements(Database kind, int queues) {
        assertFew(kind, queues, 3, kind == Database.POSTGRESQL);
    }

    /** As behind a pooler in transaction mode. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void eachOfThreeIdleNodesOnPostgresMakesFewStatementsWhereHintsArePolled(int queues) {
        assertFew(Database.POSTGRESQL, queues, 3, false);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void anIdleNodeMakesFewStatementsForManyQueues(Database kind) {
        assertFew(kind, MOST_QUEUES, 1, kind == Database.POSTGRESQL);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("fewerQueues")
    void anIdleNodeMakesFewStatements(Database kind, int queues) {
        assertFew(kind, queues, 1, kind == Database.POSTGRESQL);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("fewerQueues")
    void eachOfTwoIdleNodesMakesFewStatements(Database kind, int queues) {
        assertFew(kind, queues, 2, kind == Database.POSTGRESQL);
    }

    private void assertFew(Database kind, int queues, int nodes, boolean pushed) {
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            List<HikariDataSource> pools = new ArrayList<>();
            List<StatementCounts> counts = new ArrayList<>();
            List<Scheduler> schedulers = new ArrayList<>();
            try {
                for (int i = 0; i < nodes; i++) {
                    HikariDataSource pool = FreshDatabases.pool(url);
                    pools.add(pool);
                    counts.add(new StatementCounts(pool));
                    schedulers.add(node("node-" + i, counts.get(i), queues, pushed));
                }
                schedulers.forEach(Scheduler::start);
                clock.advance(SETTLED);
                counts.forEach(StatementCounts::clear);
                clock.advance(Duration.ofMinutes(MINUTES));
                List<Double> each = counts.stream()
                        .map(count -> count.total() / (double) MINUTES)
                        .toList();
                assertThat(each)
                        .as(() -> describe(kind, queues, counts))
                        .allSatisfy(statements -> assertThat(statements + (pushed ? CHECKS_OF_RECEIVER : 0))
                                .isBetween(10.0, (double) (pushed ? MOST_PUSHED : MOST_POLLED)));
            } finally {
                schedulers.forEach(Scheduler::close);
                pools.forEach(HikariDataSource::close);
            }
        }
    }

    private Scheduler node(String name, StatementCounts pool, int queues, boolean pushed) {
        TestClock.Node carrier = clock.node(name);
        SchedulerBuilder builder = Scheduler.builder()
                .nodeId(name)
                .store(inVirtualTime(JdbcScheduleStore.of(pool), pushed))
                .carrier(carrier)
                .publisher(batch -> {})
                .listener(new NodeListener() {
                    @Override
                    public void sampled(QueueSample sample) {
                        // Wants samples, as the metrics do.
                    }
                });
        IntStream.range(1, queues).forEach(i -> builder.queue("queue-" + i, queue -> queue.publisher(batch -> {})));
        return builder.build();
    }

    /** Returns a store whose time is virtual, and whose receiver of hints does not wait. */
    private ScheduleStore inVirtualTime(ScheduleStore store, boolean pushed) {
        ShardLeases leases = with(ShardLeases.class, store.leases(), "now", now -> clock.now());
        WakeUps wakeUps = with(
                WakeUps.class,
                store.wakeUps(),
                "receive",
                real -> pushed ? Optional.of(new VirtualReceiver()) : Optional.empty());
        ScheduleStore first = with(ScheduleStore.class, store, "leases", real -> leases);
        return with(ScheduleStore.class, first, "wakeUps", real -> wakeUps);
    }

    /** Returns an object that replaces the result of one method. */
    private static <T> T with(Class<T> type, T target, String name, Function<Object, Object> replace) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                boolean receives = method.getName().equals("receive");
                Object result = receives ? Optional.empty() : method.invoke(target, args);
                return method.getName().equals(name) ? replace.apply(result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private static final class VirtualReceiver implements WakeUps.Receiver {
        @Override
        public List<WakeUp> await(Duration longest) {
            return List.of();
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }

    private static String describe(Database kind, int queues, List<StatementCounts> counts) {
        StringBuilder text = new StringBuilder(kind + ", " + queues + " queues");
        for (StatementCounts count : counts) {
            text.append(", ").append(count.total() / (double) MINUTES).append(" a minute");
            new TreeMap<>(count.counts())
                    .forEach((statement, times) -> text.append(System.lineSeparator())
                            .append(times / (double) MINUTES)
                            .append("  ")
                            .append(statement, 0, Math.min(100, statement.length())));
            text.append(System.lineSeparator());
        }
        return text.toString();
    }
}
