package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The passage of time by the real engine on real databases. */
class PassageOnDatabaseTest {
    private static final Instant NEW_YEAR = Instant.parse("2030-01-01T00:00:00Z");

    private final List<String> told = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void eachPeriodHasOneEventForAllNodesAndACrashLosesNone(Database kind) {
        PassageOfTime time = PassageOfTime.builder()
                .firstDayOfWeek(DayOfWeek.TUESDAY)
                .on(TimeHasPassed.class, "all", event -> told.add(event.type()))
                .on(MinuteHasPassed.class, "minutes", CatchUp.ALL, event -> told.add("minute " + event.now()))
                .on(HourHasPassed.class, "fails", event -> {
                    told.add("tried");
                    throw new IllegalStateException("not today");
                })
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .startTime(NEW_YEAR.minusSeconds(30))
                        .configure(scheduler -> scheduler.extension(time))
                        .nodes(2)
                        .build()) {
            kit.advanceTo(NEW_YEAR);
            assertThat(told.stream().filter(each -> each.endsWith("HasPassed")))
                    .containsExactly(
                            "MinuteHasPassed",
                            "HourHasPassed",
                            "DayHasPassed",
                            "WeekHasPassed",
                            "MonthHasPassed",
                            "QuarterHasPassed",
                            "YearHasPassed");
            assertThat(told).contains("minute " + NEW_YEAR, "tried");

            told.clear();
            kit.nodes().forEach(node -> node.crashBefore(StoreCall.SETTLE));
            kit.advance(Duration.ofMinutes(3).plusSeconds(30));
            kit.nodes().forEach(node -> node.restart());
            kit.advance(Duration.ofMinutes(1));
            assertThat(told.stream().filter(each -> each.startsWith("minute")).distinct())
                    .containsExactly(
                            "minute " + NEW_YEAR.plusSeconds(60),
                            "minute " + NEW_YEAR.plusSeconds(120),
                            "minute " + NEW_YEAR.plusSeconds(180),
                            "minute " + NEW_YEAR.plusSeconds(240));
            List<StoredTimer> ticks = kit.scheduler()
                    .admin()
                    .query(TimerQuery.all().allowScan().tenantId("duetime").queue("passage"));
            assertThat(ticks).hasSize(9);
        }
    }
}
