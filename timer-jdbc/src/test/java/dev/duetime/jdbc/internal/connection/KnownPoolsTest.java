package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Tests of how the size of a pool is found. */
class KnownPoolsTest {
    private static HikariDataSource hikari() {
        HikariDataSource pool = new HikariDataSource();
        pool.setMaximumPoolSize(7);
        return pool;
    }

    @Test
    void theSizeOfAKnownPoolIsFound() {
        try (HikariDataSource pool = hikari()) {
            assertThat(KnownPools.size(pool)).hasValue(7);
        }
    }

    @Test
    void theSizeOfAWrappedPoolIsFound() {
        try (HikariDataSource pool = hikari()) {
            DataSource wrapped = new LazyConnectionDataSourceProxy(new TransactionAwareDataSourceProxy(pool));
            assertThat(KnownPools.size(wrapped)).hasValue(7);
        }
    }

    @Test
    void aDataSourceThatIsNoPoolHasNoSize() {
        assertThat(KnownPools.size(new JdbcDataSource())).isEqualTo(OptionalInt.empty());
    }

    @Test
    void wrappersInACircleHaveNoSize() {
        TransactionAwareDataSourceProxy one = new TransactionAwareDataSourceProxy();
        one.setTargetDataSource(new LazyConnectionDataSourceProxy(one));
        assertThat(KnownPools.size(one)).isEqualTo(OptionalInt.empty());
    }
}
