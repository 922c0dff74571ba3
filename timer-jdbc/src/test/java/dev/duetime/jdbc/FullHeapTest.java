package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.StoreException;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.FullHeap;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a connection on which an error was thrown is never forgotten, though its abort, its rollback and its
 * close throw the same error until the heap has room again.
 */
class FullHeapTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private long generation;
    private boolean committed;

    private NewTimer timer(String id) {
        TimerContent content =
                new TimerContent("q", NOW, null, "test", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new NewTimer(TimerKey.of(id), 0, content, ++generation, NOW, true);
    }

    private static void settle(JdbcScheduleStore store, long generation) {
        store.settle(List.of(new Settlement.Ended(TimerKey.of("a"), generation, TimerState.REACHED, NOW, 1, null)));
    }

    @ParameterizedTest
    @EnumSource
    void aReadForgetsNoConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> store.due(new DueQuery("q", List.of(0), NOW, 10)));
    }

    @ParameterizedTest
    @EnumSource
    void aScheduleForgetsNoConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> store.schedule(List.of(timer("a"), timer("new"))));
    }

    @ParameterizedTest
    @EnumSource
    void aSettlementForgetsNoConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> settle(store, generation));
    }

    @ParameterizedTest
    @EnumSource
    void leasesForgetNoConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> {
            store.leases().open("q", OptionalInt.of(2));
            store.leases().acquire("q", List.of(0, 1), "node", NOW, NOW.plusSeconds(10));
            store.leases().renew("node", NOW.plusSeconds(20));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfTheStoreForgetsNoConnection(Database kind) throws SQLException {
        eachAnswer(kind, store -> {
            try (OwnTransaction own = store.begin()) {
                own.waitBriefly();
                own.writes().schedule(List.of(timer("a"), timer("new")));
                own.waitLonger();
                own.writes().cancel(TimerKey.of("a"), NOW);
                own.commit();
                committed = true;
            }
        });
    }

    /** They have their own connection, so they work while callers wait for one. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void aRenewalOfLeasesEndsBrokenConnections(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = databases.open(databases.create())) {
            FullHeap heap = new FullHeap(databases.ofStore(pool));
            JdbcScheduleStore store =
                    databases.configured(JdbcScheduleStore.builder(heap), pool).build();
            store.leases().open("q", OptionalInt.of(2));
            store.leases().acquire("q", List.of(0, 1), "node", NOW, NOW.plusSeconds(10));
            store.schedule(List.of(timer("a")));
            heap.fillAt(text -> text.contains("duetime settle_"));
            assertThatThrownBy(() -> settle(store, generation)).isSameAs(heap.error());
            Connection broken = Objects.requireNonNull(heap.broken());

            assertThat(store.leases().renew("node", NOW.plusSeconds(20))).isEqualTo(2);
            assertThat(broken.isClosed()).isFalse();
            heap.free();
            assertThat(store.leases().renew("node", NOW.plusSeconds(30))).isEqualTo(2);

            assertThat(broken.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenTransactionIsNotCommitted(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = databases.open(databases.create())) {
            FullHeap heap = new FullHeap(databases.ofStore(pool));
            JdbcScheduleStore store =
                    databases.configured(JdbcScheduleStore.builder(heap), pool).build();
            try (OwnTransaction own = store.begin()) {
                heap.fillAt(text -> text.toUpperCase(Locale.ROOT).contains("INSERT"));
                assertThatThrownBy(() -> own.writes().schedule(List.of(timer("a"))))
                        .isSameAs(heap.error());
                heap.free();

                assertThat(own.isLost()).isTrue();
                assertThatThrownBy(own::commit).isInstanceOf(StoreException.class);
            }

            assertThat(store.find(TimerKey.of("a"))).isEmpty();
            assertThat(Objects.requireNonNull(heap.broken()).isClosed()).isTrue();
        }
    }

    /** Fills the heap after each answer of the work, one after the other. */
    private void eachAnswer(Database kind, Consumer<JdbcScheduleStore> work) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = databases.open(databases.create())) {
            FullHeap heap = new FullHeap(databases.ofStore(pool));
            JdbcScheduleStore store =
                    databases.configured(JdbcScheduleStore.builder(heap), pool).build();
            JdbcScheduleStore other = databases
                    .configured(JdbcScheduleStore.builder(databases.ofStore(pool)), pool)
                    .build();
            int number = 1;
            for (boolean breaks = true; breaks; number++) {
                store.schedule(List.of(timer("a")));
                heap.fillAt(number);
                committed = false;
                Throwable thrown = thrownBy(() -> work.accept(store));
                Connection broken = heap.broken();
                breaks = broken != null;
                if (broken == null) {
                    heap.free();
                    assertThat(thrown).isNull();
                } else {
                    if (!committed) {
                        assertThat(thrown).as("answer %d", number).isSameAs(heap.error());
                    }
                    assertThat(broken.isClosed()).as("answer %d", number).isFalse();
                    heap.free();

                    assertThat(store.find(TimerKey.of("a")))
                            .as("answer %d", number)
                            .isPresent();

                    assertThat(broken.isClosed()).as("answer %d", number).isTrue();
                    other.schedule(List.of(timer("a"), timer("new")));
                }
                store.leases().letGo();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                        .as("answer %d", number)
                        .isZero();
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
}
