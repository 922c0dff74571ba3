package dev.duetime.lab.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** A process that changes many timers with large payloads at once. The exit code is 0 if it could. */
final class HeavyBulkMain {
    private static final int TIMERS = 160;
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private HeavyBulkMain() {}

    /** Argument: the URL of the database. */
    public static void main(String[] args) {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl(args[0]);
        JdbcScheduleStore store = JdbcScheduleStore.of(database);
        Scheduler scheduler =
                Scheduler.builder().store(store).publisher(batch -> {}).build();
        schedule(scheduler);
        TimerAdmin admin = scheduler.admin();
        TimerQuery scheduled = TimerQuery.all().type("heavy").state(TimerState.SCHEDULED);
        TimerQuery cancelled = TimerQuery.all().type("heavy").state(TimerState.CANCELLED);
        check("moved", admin.reschedule(scheduled, FAR.plusSeconds(1)));
        check("delivered", admin.deliverNow(scheduled));
        check("cancelled", admin.cancel(scheduled));
        check("purged", admin.purge(cancelled, scheduler.now().plus(Duration.ofMinutes(1))));
        schedule(scheduler);
        check("cancelled", admin.cancel(scheduled));
        check("deleted", store.purge("default", scheduler.now().plus(Duration.ofMinutes(1)), 1_000));
        Runtime.getRuntime().halt(0);
    }

    private static void schedule(Scheduler scheduler) {
        Payload payload = Payload.of(('"' + "x".repeat(1024 * 1024 - 2) + '"').getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < TIMERS; i++) {
            scheduler.schedule(
                    Timer.at("t-" + i, FAR).type("heavy").payload(payload).build());
        }
    }

    private static void check(String what, long count) {
        if (count != TIMERS) {
            throw new IllegalStateException(what + " must be " + TIMERS + " but were " + count);
        }
    }
}
