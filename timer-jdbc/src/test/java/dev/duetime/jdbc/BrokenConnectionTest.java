package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.database.BrokenAnswers;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a connection on which an error was thrown is never used again: its driver may have read only a part of
 * an answer. Drivers of embedded databases have no answers to read, and abort no connection.
 */
class BrokenConnectionTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Set<Database> EMBEDDED = Set.of(Database.H2, Database.SQLITE);

    private long generation;
    private boolean committed;

    private NewTimer timer(String id) {
        TimerContent content =
                new TimerContent("q", NOW, null, "test", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new NewTimer(TimerKey.of(id), 0, content, ++generation, NOW, true);
    }

    private static DueQuery due() {
        return new DueQuery("q", List.of(0), NOW, 10);
    }

    @ParameterizedTest
    @EnumSource
    void aReadAbortsItsConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> store.due(due()));
    }

    @ParameterizedTest
    @EnumSource
    void aScheduleAbortsItsConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> store.schedule(List.of(timer("a"), timer("new"))));
    }

    @ParameterizedTest
    @EnumSource
    void aSettlementAbortsItsConnection(Database kind) throws SQLException {
        eachAnswer(
                kind,
                store -> store.settle(Stream.of("a", "b")
                        .flatMap(id -> store.find(TimerKey.of(id)).stream())
                        .map(each ->
                                new Settlement.Ended(each.key(), each.generation(), TimerState.REACHED, NOW, 1, null))
                        .map(Settlement.class::cast)
                        .toList()));
    }

    @ParameterizedTest
    @EnumSource
    void aPurgeAbortsItsConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> {
            store.expire("q", 0, NOW, false, 10);
            store.purge("q", NOW, 10);
        });
    }

    @ParameterizedTest
    @EnumSource
    void leasesAbortTheirConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> {
            store.leases().open("q", OptionalInt.of(2));
            store.leases().acquire("q", List.of(0, 1), "node", NOW, NOW.plusSeconds(10));
            store.leases().renew("node", NOW.plusSeconds(20));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfTheStoreAbortsItsConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> {
            try (OwnTransaction own = store.begin()) {
                own.waitBriefly();
                own.writes().schedule(List.of(timer("a"), timer("new")));
                own.waitLonger();
                own.writes().cancel(TimerKey.of("b"), NOW);
                own.commit();
                committed = true;
            }
        });
    }

    /** Its connection is the caller's. */
    @ParameterizedTest
    @EnumSource
    void aTransactionOfACallerKeepsItsConnection(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = databases.open(databases.create())) {
            BrokenAnswers answers = new BrokenAnswers(databases.ofStore(pool));
            JdbcScheduleStore store = databases
                    .configured(JdbcScheduleStore.builder(answers), pool)
                    .build();
            try (Connection connection = answers.getConnection()) {
                connection.setAutoCommit(false);
                answers.breakAt(1);

                assertThatThrownBy(
                                () -> store.in(JdbcTransaction.of(connection)).schedule(List.of(timer("a"))))
                        .isInstanceOf(OutOfMemoryError.class);

                assertThat(answers.broken()).isNotNull();
                assertThat(connection.isClosed()).isFalse();
                connection.rollback();
            }
        }
    }

    /** Breaks each answer that the work reads, one after the other. */
    private void eachAnswer(Database kind, Consumer<JdbcScheduleStore> work) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = databases.open(databases.create())) {
            BrokenAnswers answers = new BrokenAnswers(databases.ofStore(pool));
            JdbcScheduleStore store = databases
                    .configured(JdbcScheduleStore.builder(answers), pool)
                    .build();
            int number = 1;
            for (boolean breaks = true; breaks; number++) {
                store.schedule(List.of(timer("a"), timer("b")));
                answers.breakAt(number);
                committed = false;
                Throwable thrown = thrownBy(() -> work.accept(store));
                Connection broken = answers.broken();
                breaks = broken != null;
                if (broken == null) {
                    assertThat(thrown).isNull();
                } else {
                    // What is committed stays so: then the end of the transaction reports no error.
                    if (!committed) {
                        assertThat(thrown).as("answer %d", number).isInstanceOf(OutOfMemoryError.class);
                    }
                    assertThat(EMBEDDED.contains(kind) || broken.isClosed())
                            .as("answer %d", number)
                            .isTrue();
                    assertThat(EMBEDDED.contains(kind) || !drivers(pool).contains(broken))
                            .as("answer %d", number)
                            .isTrue();
                    assertThat(store.query(TimerQuery.all().allowScan())).hasSizeGreaterThanOrEqualTo(2);
                }
            }
            assertThat(number).isGreaterThan(2);
        }
    }

    private static @Nullable Throwable thrownBy(Runnable work) {
        try {
            work.run();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Returns the drivers' connections that a pool gives out next. */
    private static List<Connection> drivers(HikariDataSource pool) throws SQLException {
        List<Connection> drivers = new ArrayList<>();
        List<Connection> given = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getHikariPoolMXBean().getIdleConnections(); i++) {
                given.add(pool.getConnection());
                drivers.add(given.get(i).unwrap(Connection.class));
            }
        } finally {
            for (Connection each : given) {
                each.close();
            }
        }
        return drivers;
    }
}
