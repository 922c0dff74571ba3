package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.DueQuery;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** Time zones, pools and limits that a host may have set. */
abstract class SurroundingsContract extends JdbcPart {

    SurroundingsContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void theJvmsTimeZoneChangesNeitherTheClockNorStoredTimes() {
        TimeZone before = TimeZone.getDefault();
        String url = database.databases().create();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
            JdbcScheduleStore east = database.open(database.pool(url));
            Instant eastern = east.leases().now();
            east.schedule(List.of(timer("a", "x")));
            StoredTimer stored = east.find(key("a")).orElseThrow();

            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Pago_Pago"));
            JdbcScheduleStore west = database.open(database.pool(url));

            assertThat(west.leases().now()).isBetween(eastern, eastern.plus(Duration.ofMinutes(30)));
            assertThat(west.find(key("a"))).contains(stored);
            assertThat(stored.wakeAt()).isEqualTo(NOW);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void theStoreUsesTheDatabasesClock() {
        Instant now = Instant.now();

        assertThat(store().leases().now())
                .isBetween(now.minus(Duration.ofMinutes(30)), now.plus(Duration.ofMinutes(30)));
    }

    @Test
    void aPoolWithoutAutoCommitIsCommitted() {
        String url = database.databases().create();
        JdbcScheduleStore observer = database.open(database.pool(url));
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            pool.setAutoCommit(false);
            writesEverything(database.open(pool), observer);
        }
    }

    private void writesEverything(JdbcScheduleStore store, JdbcScheduleStore observer) {
        store.schedule(List.of(timer("a", "x"), timer("b", "x")));
        store.schedule(List.of(timer("a", "y"), timer("a", "x")));
        assertThat(store.cancel(key("b"), NOW)).isEqualTo(CancelResult.CANCELLED);
        assertThat(store.leases().open(queue, OptionalInt.of(2))).isEqualTo(2);
        assertThat(store.leases().acquire(queue, List.of(0, 1), "node", NOW, NOW.plusSeconds(1)))
                .containsExactlyInAnyOrder(0, 1);
        store.leases().acquire(queue, List.of(), "node", NOW, NOW);
        StoredTimer due =
                store.due(new DueQuery(queue, List.of(0), NOW, 1)).timers().get(0);
        store.settle(List.of(
                new Settlement.Ended(due.key(), due.generation(), TimerState.REACHED, NOW.plusSeconds(1), 1, null)));

        assertThat(observer.query(TimerQuery.all().allowScan()))
                .extracting(StoredTimer::state)
                .containsExactly(TimerState.REACHED, TimerState.CANCELLED);
        assertThat(observer.leases().view(queue).leases())
                .allSatisfy(lease -> assertThat(lease.owner()).isEqualTo("node"));
        assertThat(observer.leases().view(queue).announced()).containsOnlyKeys("node");
        assertThat(store.purge(queue, NOW.plusSeconds(1), 10)).isEqualTo(1);
        assertThat(observer.query(TimerQuery.all().allowScan())).hasSize(1);
    }

    @Test
    void aQueryAcceptsAnyInstantAsABound() {
        store().schedule(List.of(timer("a", "x")));

        assertThat(store().query(TimerQuery.all().allowScan().queue(queue).due(Instant.MIN, Instant.MAX)))
                .hasSize(1);
        assertThat(store().query(TimerQuery.all().allowScan().queue(queue).due(Instant.MIN, Instant.MIN)))
                .isEmpty();
        assertThat(store().query(TimerQuery.all().allowScan().queue(queue).due(NOW.plusNanos(1), Instant.MAX)))
                .isEmpty();
        assertThat(store().query(TimerQuery.all().allowScan().queue(queue).due(NOW, NOW.plusNanos(1))))
                .hasSize(1);
        assertThat(store().due(new DueQuery(queue, List.of(0), Instant.MAX, 5)).timers())
                .hasSize(1);
        assertThat(store().purge(queue, Instant.MAX, 5)).isZero();
    }
}
