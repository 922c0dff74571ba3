package dev.duetime.jdbc;

class MariaDbScheduleStoreTest extends JdbcScheduleStoreContract {
    MariaDbScheduleStoreTest() {
        super(new MariaDbDatabases());
    }
}
