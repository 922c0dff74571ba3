package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.CountingDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.CollisionException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TimerKit;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a row which the database refuses is tried once: the refusal is not taken for a collision. */
@Timeout(120)
class RefusedRowsTest {

    @ParameterizedTest
    @EnumSource
    void aRefusedScheduleIsTriedOnce(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counting = new CountingDataSource(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(counting)).build()) {
                JdbcPart.execute(pool, kind.refusingHeaders());
                Timer timer = Timer.at("refused", kit.now()).header("h", "long").build();
                int before = counting.connections();

                assertThatThrownBy(() -> kit.scheduler().schedule(timer))
                        .isInstanceOf(StoreException.class)
                        .isNotInstanceOf(CollisionException.class);

                assertThat(counting.connections() - before).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedOutcomeIsTriedOnce(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counting = new CountingDataSource(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(counting)).build()) {
                kit.scheduler().schedule(Timer.at("refused", kit.now()).build());
                JdbcPart.execute(pool, kind.refusingToEnd("refused"));
                long generation =
                        kit.store().find(TimerKey.of("refused")).orElseThrow().generation();
                List<Settlement> outcome = List.of(new Settlement.Ended(
                        TimerKey.of("refused"), generation, TimerState.REACHED, Instant.EPOCH, 1, null));
                int before = counting.connections();

                assertThatThrownBy(() -> kit.store().settle(outcome)).isInstanceOf(RefusedException.class);

                assertThat(counting.connections() - before).isEqualTo(1);
            }
        }
    }
}
