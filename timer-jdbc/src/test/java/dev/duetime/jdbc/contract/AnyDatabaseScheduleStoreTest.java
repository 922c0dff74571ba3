package dev.duetime.jdbc.contract;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.GivenDatabase;

/** The contract on whatever database {@code DUETIME_TEST_URL} names, such as a cluster; CONTRIBUTING.md says how. */
class AnyDatabaseScheduleStoreTest extends JdbcScheduleStoreContract {
    AnyDatabaseScheduleStoreTest() {
        super(GivenDatabase.ofEnvironment());
    }

    @Override
    protected boolean expiresUnread() {
        return Database.of(dataSource().getJdbcUrl()) == Database.POSTGRESQL && !GivenDatabase.isChanged();
    }

    @Override
    String refusingHeaders() {
        return Database.of(dataSource().getJdbcUrl()).refusingHeaders();
    }
}
