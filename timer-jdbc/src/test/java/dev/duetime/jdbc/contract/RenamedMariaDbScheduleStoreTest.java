package dev.duetime.jdbc.contract;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.MariaDbDatabases;
import dev.duetime.jdbc.database.RenamedDatabases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of every store, on tables in another schema than the current one, with a prefix. */
@Tag("full")
@ExtendWith(RenamedTables.class)
class RenamedMariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    RenamedMariaDbScheduleStoreTest() {
        super(new RenamedDatabases(new MariaDbDatabases(), "mariadb"));
    }

    @Override
    String refusingHeaders() {
        return Database.MARIADB.refusingHeaders();
    }
}
