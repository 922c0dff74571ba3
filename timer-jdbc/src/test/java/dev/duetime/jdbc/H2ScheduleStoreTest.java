package dev.duetime.jdbc;

class H2ScheduleStoreTest extends JdbcScheduleStoreContract {
    H2ScheduleStoreTest() {
        super(new H2Databases());
    }
}
