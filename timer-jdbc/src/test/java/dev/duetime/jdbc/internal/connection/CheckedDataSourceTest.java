package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.H2Databases;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that any exception of a data source, not only an {@link SQLException}, is an outage of the store. */
class CheckedDataSourceTest {
    private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();
    private final HikariDataSource pool = FreshDatabases.pool(new H2Databases().create());
    private final DataSource faulty = new DataSourceDecorator(pool) {
        @Override
        public Connection getConnection() throws SQLException {
            RuntimeException thrown = fault.get();
            if (thrown != null) {
                throw thrown;
            }
            return super.getConnection();
        }
    };

    @Test
    void anExceptionOfThePoolIsAStoreException() {
        JdbcScheduleStore store = JdbcScheduleStore.of(faulty);
        Scheduler scheduler = Scheduler.builder().store(store).build();
        fault.set(new IllegalStateException("secret-4711"));

        assertThatThrownBy(() -> scheduler.schedule(TimerKey.of("a"), Instant.EPOCH, null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the data source threw java.lang.IllegalStateException")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(store::begin).isInstanceOf(StoreException.class);

        fault.set(null);
        assertThat(scheduler.schedule(TimerKey.of("a"), Instant.EPOCH, null)).isNotNull();
        pool.close();
    }

    @Test
    void anExceptionOfThePoolDuringOpeningIsAStoreException() {
        fault.set(new IllegalStateException("x"));

        assertThatThrownBy(() -> JdbcScheduleStore.of(faulty))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("open store failed");
        pool.close();
    }
}
