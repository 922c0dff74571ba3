package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.FullDisk;
import dev.duetime.testkit.TimerKit;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 closes a database that it cannot write. After that the connections of the pool cannot be used. */
class H2FullDiskTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    @AfterEach
    void free() {
        FullDisk.fill(false);
    }

    @Test
    void aFileOnADiskThatWasFullIsUsedAgainByNewConnections() {
        FullDisk.mount();
        try (HikariDataSource pool = FreshDatabases.pool("jdbc:h2:full:" + folder.resolve("timers"));
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

    private static boolean isReached(TimerKit kit, String id) {
        try {
            return kit.store().find(TimerKey.of(id)).orElseThrow().state() == TimerState.REACHED;
        } catch (StoreException e) {
            return false;
        }
    }
}
