package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FullDisk;
import dev.duetime.testkit.TimerKit;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 closes a database that it cannot write. After that the connections of the pool cannot be used. */
class H2FullDiskTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** HikariCP's setting: how long it gives out a connection again without a check. */
    private static final String UNCHECKED_MILLIS = "com.zaxxer.hikari.aliveBypassWindowMs";

    @TempDir
    Path folder;

    @AfterEach
    void free() {
        FullDisk.fill(false);
    }

    @Test
    void aFileOnADiskThatWasFullIsUsedAgainByNewConnections() {
        FullDisk.mount();
        try (HikariDataSource pool = impatient("jdbc:h2:full:" + folder.resolve("timers"));
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            kit.scheduler()
                    .schedule(Timer.after("waits", SECOND.multipliedBy(5)).build());
            FullDisk.fill(true);
            assertThatThrownBy(() -> kit.scheduler()
                            .schedule(Timer.after("refused", SECOND).build()))
                    .isInstanceOf(StoreException.class);
            kit.advance(SECOND.multipliedBy(10));

            FullDisk.fill(false);
            pool.getHikariPoolMXBean().softEvictConnections();
            kit.advance(SECOND.multipliedBy(60));

            assertThat(isReached(kit, "waits")).isTrue();
            assertThat(kit.scheduler()
                            .schedule(Timer.after("after", SECOND).build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.CREATED);
            kit.advance(SECOND.multipliedBy(2));
            assertThat(isReached(kit, "after")).isTrue();
        }
    }

    /**
     * H2 forgets an open database if a connection to the one before is used once more. The node's connection for leases
     * must not lock the file for ever then.
     */
    @Test
    void aConnectionKeptForLeasesDoesNotLockTheFile() throws SQLException {
        FullDisk.mount();
        String url = "jdbc:h2:full:" + folder.resolve("timers");
        try (HikariDataSource pool = impatient(url);
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
                Connection former = DriverManager.getConnection(url)) {
            kit.scheduler()
                    .schedule(Timer.after("waits", SECOND.multipliedBy(60)).build());
            FullDisk.fill(true);
            assertThatThrownBy(() -> kit.scheduler()
                            .schedule(Timer.after("refused", SECOND).build()))
                    .isInstanceOf(StoreException.class);
            FullDisk.fill(false);
            pool.getHikariPoolMXBean().softEvictConnections();
            kit.advance(SECOND.multipliedBy(20));
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);

            assertThatThrownBy(() -> former.createStatement().execute("SELECT 1"))
                    .isInstanceOf(SQLException.class);
            pool.getHikariPoolMXBean().softEvictConnections();
            kit.advance(SECOND.multipliedBy(50));

            assertThat(isReached(kit, "waits")).isTrue();
        }
    }

    /**
     * A pool that refuses soon, and that looks at each connection before it gives it out: else that takes real time.
     */
    private static HikariDataSource impatient(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(250);
        System.setProperty(UNCHECKED_MILLIS, "-1");
        try {
            return new HikariDataSource(config);
        } finally {
            System.clearProperty(UNCHECKED_MILLIS);
        }
    }

    private static boolean isReached(TimerKit kit, String id) {
        try {
            return kit.store().find(TimerKey.of(id)).orElseThrow().state() == TimerState.REACHED;
        } catch (StoreException e) {
            return false;
        }
    }
}
