package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.console.Console;
import dev.duetime.console.Grant;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that no text and no parameter, whoever sends it, breaks a page or shows what its reader may not see. */
class HostileCrawlTest {
    private static final String POSTGRES = "DUETIME_TEST_POSTGRES_URL";
    private static final String USER = "<u>olga\"'&\u202E";
    private static final int MANY = 1_000;

    /** Values that are no names, no numbers, no times, or too many of them. */
    private static final List<String> VALUES = values();

    private static List<String> values() {
        List<String> all = new ArrayList<>(HostileTimers.TEXTS);
        all.addAll(List.of(
                "-1",
                "0",
                "99999999999999999999",
                "NaN",
                "null",
                "a\0b",
                "a\r\nX-Bad: 1",
                "\uFFFD",
                "x".repeat(5_000),
                "9999-12-31T23:59:59.999999999Z",
                "+999999999-12-31",
                "-999999999-01-01",
                "+1000000000-12-31T23:59:59.999999999Z",
                "-1000000000-01-01T00:00:00Z",
                "0000-00-00",
                "0000-01-01",
                "2030-02-30T25:61",
                "2030-01-01T00:00:00+01:00Z",
                "a/b/c",
                "a/b",
                "%2F/%2F/",
                "%zz/a/",
                "%00/a/",
                "//",
                "dead",
                "\u0130",
                "wake",
                "deliver",
                "default",
                HostileTimers.SECRET_TENANT,
                HostileTimers.SECRET_TENANT + "/" + HostileTimers.SECRET + "0/"));
        return all;
    }

    private final List<Grant> grant = new ArrayList<>();

    @Test
    @Tag("full")
    void everyPageOfHostileTimersIsHarmlessOnH2() {
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
            crawl(database);
        }
    }

    @Test
    @Tag("full")
    void everyPageOfHostileTimersIsHarmlessOnPostgres() throws SQLException {
        String named = System.getenv(POSTGRES);
        Assumptions.assumeTrue(named != null, POSTGRES + " names no server");
        String schema = "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(named);
            database.setMaximumPoolSize(4);
            database.setSchema(schema);
            execute(database, "CREATE SCHEMA " + schema);
            try {
                crawl(database);
            } finally {
                execute(database, "DROP SCHEMA " + schema + " CASCADE");
            }
        }
    }

    private static void execute(HikariDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void crawl(HikariDataSource database) {
        try (TimerKit kit = HostileTimers.on(JdbcScheduleStore.of(database))) {
            Console console = Console.of(kit.scheduler())
                    .basePath(Crawler.BASE)
                    .access(request -> grant.get(grant.size() - 1))
                    .build();
            as(Grant.none(), console);
            Crawler reader = as(Grant.read(USER), console);
            assertThat(reader.paths())
                    .contains("/", "/timers", "/timer", "/dead", "/recurring", "/lists", "/list", "/nodes", "/activity")
                    .contains("/queue")
                    .noneMatch(path -> path.startsWith("/do/"));
            as(Grant.operate(USER).fencedTo(Set.of("open", HostileTimers.TEXTS.get(1))), console);
            Crawler operator = as(Grant.operate(USER), console);
            assertThat(operator.paths()).contains("/do/ask", "/do/all", "/do/ticked", "/do/queue", "/run");
            assertThat(operator.answers()).isGreaterThan(MANY);
            console.close();
        }
    }

    private Crawler as(Grant given, Console console) {
        grant.add(given);
        Crawler crawler = new Crawler(console, given.tenants() != null);
        crawler.crawl();
        if (given.operates()) {
            crawler.disturb(VALUES);
        }
        return crawler;
    }
}
