package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that no call of an operator fails, whatever other programs write into a column of a row. */
class OddRowsOfOperatorsTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final List<String> NUMBERS =
            List.of("-9223372036854775808", "9223372036854775807", "'abc'", "-1", "NULL", "1.5");
    private static final List<String> TEXTS =
            List.of("''", "'x'", "'[]'", "'cron */5 1-/ 1 1 1'", "'a\nforged'", "NULL", "'SCHEDULED '", "'dead'", "7");
    private static final Map<String, List<String>> VALUES = new LinkedHashMap<>();

    static {
        for (String column : List.of(
                "due_at",
                "wake_at",
                "expires_at",
                "generation",
                "attempt",
                "priority",
                "registered_at",
                "started_at",
                "settled_at",
                "first_failed_at",
                "last_failed_at",
                "previous_at",
                "revision",
                "shard")) {
            VALUES.put(column, NUMBERS);
        }
        for (String column : List.of(
                "recurrence",
                "catch_up",
                "headers",
                "trace",
                "type",
                "step",
                "error",
                "parallel_key",
                "correlation_key",
                "correlation_id",
                "state",
                "payload",
                "scope")) {
            VALUES.put(column, TEXTS);
        }
    }

    /** MySQL compares states without regard to spaces at the end. */
    @ParameterizedTest
    @EnumSource
    void noCallOfAnOperatorFailsForAState(Database kind) {
        noCallFails(kind, Map.of("state", List.of("'SCHEDULED '")));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void noCallOfAnOperatorFails(Database kind) {
        noCallFails(kind, VALUES);
    }

    private static void noCallFails(Database kind, Map<String, List<String>> values) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            kit.scheduler().schedule(Timer.after("sound", DAY).build());
            SoftAssertions softly = new SoftAssertions();
            int number = 0;
            for (Map.Entry<String, List<String>> column : values.entrySet()) {
                for (String value : column.getValue()) {
                    for (String state : List.of("SCHEDULED", "DEAD")) {
                        String timerId = "odd-" + number++;
                        kit.scheduler().schedule(Timer.after(timerId, DAY).build());
                        if (state.equals("DEAD")) {
                            write(pool, "state = 'DEAD', wake_at = NULL, settled_at = 1, error = 'E: gone'", timerId);
                        }
                        if (write(pool, column.getKey() + " = " + value, timerId)) {
                            reads(kit, softly, column.getKey() + " = " + value + " of " + state);
                        }
                        execute(pool, "DELETE FROM timer_schedules WHERE timer_id = '" + timerId + "'");
                    }
                }
            }
            softly.assertAll();
        }
    }

    private static void reads(TimerKit kit, SoftAssertions softly, String odd) {
        TimerAdmin admin = kit.scheduler().admin();
        TimerViews views = admin.views();
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put(
                "upcoming",
                () -> assertThat(views.upcoming(UpcomingQuery.of("default"))).isNotEmpty());
        calls.put("forecast", () -> views.forecast("default", kit.now(), DAY, 3));
        calls.put("dead groups", () -> views.deadGroups(TimerQuery.all()));
        List<TimerQuery> queries = new ArrayList<>(List.of(
                TimerQuery.all(),
                TimerQuery.all().state(TimerState.SCHEDULED),
                TimerQuery.all().state(TimerState.DEAD),
                TimerQuery.all().queue("default").type("timer"),
                TimerQuery.all().errorClass("E"),
                TimerQuery.all().tenantId(TimerKey.of("a").tenantId()).idPrefix("odd"),
                TimerQuery.all().parallelKey("x")));
        for (TimerQuery query : queries) {
            calls.put("query " + query, () -> admin.query(query));
            calls.put("list " + query, () -> views.timers(query));
            calls.put("count " + query, () -> admin.count(query));
            calls.put("count up to " + query, () -> views.countUpTo(query, 100));
        }
        calls.put(
                "deliver now",
                () -> admin.deliverNow(
                        TimerQuery.all().state(TimerState.SCHEDULED).idPrefix("odd")));
        calls.put("revive", () -> admin.revive(TimerQuery.all().state(TimerState.DEAD)));
        calls.put("cancel", () -> admin.cancel(TimerQuery.all().idPrefix("odd")));
        calls.put("purge", () -> admin.purge(TimerQuery.all(), kit.now().plus(DAY)));
        calls.put("queues", admin::queues);
        calls.put("advance", () -> kit.advance(Duration.ofSeconds(1)));
        calls.forEach((call, body) ->
                softly.assertThatCode(body::run).as("%s, %s", call, odd).doesNotThrowAnyException());
    }

    /** If a database refuses to store a value, the reader need not handle it. */
    private static boolean write(HikariDataSource pool, String set, String timerId) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE timer_schedules SET " + set + " WHERE timer_id = '" + timerId + "'");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static void execute(HikariDataSource pool, String sql) {
        assertThatCode(() -> {
                    try (Connection connection = pool.getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                })
                .doesNotThrowAnyException();
    }
}
