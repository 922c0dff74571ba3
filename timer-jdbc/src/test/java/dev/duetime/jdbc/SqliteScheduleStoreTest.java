package dev.duetime.jdbc;

class SqliteScheduleStoreTest extends JdbcScheduleStoreContract {
    SqliteScheduleStoreTest() {
        super(new SqliteDatabases());
    }
}
