package dev.duetime.jdbc;

/** The statements for distributed PostgreSQL, on one server: there they must do the same. */
class DistributedPostgresScheduleStoreTest extends JdbcScheduleStoreContract {
    DistributedPostgresScheduleStoreTest() {
        super(new PostgresDatabases(), settings -> settings.distributed(true));
    }

    @Override
    String refusingHeaders() {
        return Database.POSTGRESQL.refusingHeaders();
    }
}
