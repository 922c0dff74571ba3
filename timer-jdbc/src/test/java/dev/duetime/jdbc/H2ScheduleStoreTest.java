package dev.duetime.jdbc;

class H2ScheduleStoreTest extends JdbcScheduleStoreContract {
    H2ScheduleStoreTest() {
        super(new H2Databases());
    }

    @Override
    String refusingHeaders() {
        return "ALTER TABLE timer_schedules ALTER COLUMN headers SET DATA TYPE VARCHAR(2)";
    }
}
