package dev.duetime.jdbc.contract;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.jdbc.database.RenamedDatabases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of every store, on tables in another schema than the current one, with a prefix. */
@Tag("full")
@ExtendWith(RenamedTables.class)
class RenamedPostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    RenamedPostgresScheduleStoreTest() {
        super(new RenamedDatabases(new PostgresDatabases(), "postgres"));
    }

    @Override
    protected boolean expiresUnread() {
        return true;
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }
}
