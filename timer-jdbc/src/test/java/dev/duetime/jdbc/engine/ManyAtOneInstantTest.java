package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that the pages of what falls due next examine few timers, even if most of them wake at one instant. */
class ManyAtOneInstantTest {
    private static final int TIMERS = 30_000;
    private static final Instant MIDNIGHT = Instant.parse("2030-01-01T00:00:00Z");
    private static final String QUEUE = "night";
    private static final Comparator<TimerSummary> WAKING = Comparator.comparing(TimerSummary::dueAt)
            .thenComparing(timer -> timer.key().timerId());

    private FreshDatabases databases;
    private HikariDataSource pool;
    private ScheduleStore store;

    @BeforeEach
    void fill() {
        databases = Database.POSTGRESQL.open();
        String url = databases.create();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
        try (HikariDataSource migrating = FreshDatabases.pool(url)) {
            // All calls use one connection, so its statistics count them all.
            store = JdbcScheduleStore.builder(pool).migrateBy(migrating).build();
        }
        store.leases().open(QUEUE, OptionalInt.of(64));
        insert("n <= 10", "-60000000");
        insert("n > 10", "0");
        insert("n = 7", "60000000");
        JdbcPart.execute(pool, "VACUUM ANALYZE timer_schedules");
    }

    /** Inserts the timers with some of the numbers, this many microseconds after midnight. */
    private void insert(String numbers, String after) {
        String at = ChronoUnit.MICROS.between(Instant.EPOCH, MIDNIGHT) + " + " + after;
        JdbcPart.execute(
                pool,
                "INSERT INTO timer_schedules (tenant_id, timer_id, queue, shard, due_at, wake_at, state, generation,"
                        + " attempt, revision, rearm, type, payload, priority, registered_at) SELECT 'tenant', "
                        + "md5(n || '" + after + "'), 'night', n % 64, " + at + ", " + at
                        + ", 'SCHEDULED', n, 0, 0, FALSE, 'timer', '', 0, 0 FROM generate_series(1, " + TIMERS
                        + ") AS n WHERE " + numbers);
    }

    @AfterEach
    void close() {
        pool.close();
        databases.close();
    }

    @Test
    void aPageReadsABoundedNumberOfTimers() {
        UpcomingQuery first = UpcomingQuery.of(QUEUE).limit(100);
        List<TimerSummary> page = store.admin().views().upcoming(first);
        long before = readRows();

        store.admin().views().upcoming(first);
        long one = readRows() - before;
        store.admin().views().upcoming(first.after(page.get(99)));
        long next = readRows() - before - one;

        // 704 times to bound the page, 2,000 timers of the instant, and the page. Of each shard a page was 18,000.
        assertThat(one).isLessThan(3_500);
        assertThat(next).isLessThan(3_500);
    }

    @Test
    void thePagesGoOnInOrderToWhatWakesLater() {
        Set<TimerKey> keys = new HashSet<>();
        List<TimerSummary> all = new ArrayList<>();
        UpcomingQuery query = UpcomingQuery.of(QUEUE).limit(1_000);
        for (List<TimerSummary> page = store.admin().views().upcoming(query); !page.isEmpty(); ) {
            all.addAll(page);
            page = store.admin().views().upcoming(query.after(page.get(page.size() - 1)));
        }

        all.forEach(timer -> keys.add(timer.key()));
        assertThat(all).isSortedAccordingTo(WAKING).hasSameSizeAs(keys).hasSizeGreaterThan(2_000);
        assertThat(all.subList(0, 10)).allMatch(timer -> timer.dueAt().isBefore(MIDNIGHT));
        assertThat(all.get(all.size() - 1).dueAt()).isEqualTo(MIDNIGHT.plusSeconds(60));
    }

    /** A shard has 469 of these timers; a forecast counts 250 of them. */
    @Test
    void aForecastSaysWhereItStoppedCounting() {
        List<DueCount> slots =
                store.admin().views().forecast(QUEUE, MIDNIGHT.minusSeconds(60), Duration.ofMinutes(1), 3);

        assertThat(slots).extracting(DueCount::timers).containsExactly(8L, 64L * 250, 0L);
    }

    private long readRows() {
        JdbcPart.rows(pool, "SELECT pg_stat_force_next_flush()");
        return Long.parseLong(JdbcPart.rows(
                        pool,
                        "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables"
                                + " WHERE relid = CAST('timer_schedules' AS regclass)")
                .get(0));
    }
}
