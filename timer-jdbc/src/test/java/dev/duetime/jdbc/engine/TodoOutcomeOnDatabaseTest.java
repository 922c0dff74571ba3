package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.contract.TodoOutcomeContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The table of outcomes, on every database. */
class TodoOutcomeOnDatabaseTest {

    @TestInstance(Lifecycle.PER_CLASS)
    private abstract static class OnDatabase extends TodoOutcomeContract {
        private final FreshDatabases databases;
        private final HikariDataSource pool;
        private final JdbcScheduleStore store;

        OnDatabase(Database kind) {
            databases = kind.open();
            pool = FreshDatabases.pool(databases.create());
            store = JdbcScheduleStore.of(pool);
        }

        @Override
        protected ScheduleStore store() {
            return store;
        }

        @AfterAll
        void close() {
            pool.close();
            databases.close();
        }
    }

    @Nested
    @DisplayName("H2")
    class H2 extends OnDatabase {
        H2() {
            super(Database.H2);
        }
    }

    @Nested
    @DisplayName("SQLite")
    class Sqlite extends OnDatabase {
        Sqlite() {
            super(Database.SQLITE);
        }
    }

    @Nested
    @DisplayName("PostgreSQL")
    class Postgres extends OnDatabase {
        Postgres() {
            super(Database.POSTGRESQL);
        }
    }

    @Nested
    @DisplayName("MariaDB")
    class MariaDb extends OnDatabase {
        MariaDb() {
            super(Database.MARIADB);
        }
    }
}
