package dev.duetime.jdbc;

class H2ScheduleStoreTest extends JdbcScheduleStoreContract {
    H2ScheduleStoreTest() {
        super(new H2Databases());
    }

    @Override
    String forbidding() {
        return "ALTER TABLE timer_schedules ADD CONSTRAINT refused CHECK (type <> 'forbidden')";
    }
}
