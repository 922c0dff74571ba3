package dev.duetime.lab.benchmark.scenario;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Duetime;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.contestant.Site;
import dev.duetime.lab.benchmark.contestant.Tuning;
import dev.duetime.lab.benchmark.database.CountingDataSource;
import dev.duetime.lab.benchmark.database.FreshDatabases;
import dev.duetime.lab.benchmark.database.Sql;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.run.Results.Point;
import dev.duetime.store.ScheduleStore;
import dev.duetime.todo.TodoMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One contestant's turn in one variant of a scenario, on its own database. */
public final class Trial implements AutoCloseable {
    private static final int BATCH = 1_000;
    /** The connections for the threads that schedule. */
    private static final int CALLERS = 34;

    /** The connections for a library's work outside its working threads. */
    private static final int SPARE = 6;

    /** One connection for the calls, and those that a store needs in addition. */
    private static final int OPERATORS = 3;

    private static final double LOAD_RESERVE = 1.5;
    private static final Duration LEAST_LOAD_TIME = Duration.ofMillis(500);

    private final Setting setting;
    private final Results results;
    private final String url;
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final LongAdder statements = new LongAdder();

    /**
     * The settings of a trial: whose turn it is.
     *
     * @param databases where its database is made
     * @param arguments what the user asked for
     * @param type who
     * @param pilot with what settings, and how fast it was before
     * @param variant in which variant
     */
    public record Setting(
            FreshDatabases databases, Arguments arguments, ContestantType type, Pilot pilot, String variant) {}

    public Trial(Setting setting, Results results) throws SQLException {
        this.setting = setting;
        this.results = results;
        url = setting.databases().create();
    }

    ContestantType type() {
        return setting.type();
    }

    Arguments arguments() {
        return setting.arguments();
    }

    String variant() {
        return setting.variant();
    }

    Tuning tuning() {
        return setting.pilot().tuning();
    }

    /** Returns a time that is enough to load this many timers. */
    Duration loadTime(int timers) {
        double seconds = LOAD_RESERVE * timers / setting.pilot().loaded();
        return Duration.ofMillis(Math.round(seconds * 1_000)).plus(LEAST_LOAD_TIME);
    }

    /** Opens the contestant's only node. */
    Contestant open(Deliveries deliveries, boolean keep) throws Exception {
        return open(deliveries, keep, 1).get(0);
    }

    /** Opens nodes, each with a pool of its own. */
    List<Contestant> open(Deliveries deliveries, boolean keep, int nodes) throws Exception {
        List<Contestant> contestants = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            HikariDataSource pool = pool(nodes);
            opened.push(pool::close);
            DataSource counted = new CountingDataSource(pool, statements);
            Site site = new Site(
                    arguments().database(),
                    arguments().scenario().equals("idle") ? counted : pool,
                    deliveries,
                    keep,
                    todos(),
                    new Site.Share(node, nodes, tuning().share(nodes)),
                    calls(),
                    !variant().endsWith(ScheduleScenario.WITHOUT_HINTS));
            Contestant contestant = type().open(site);
            opened.push(contestant::close);
            contestants.add(contestant);
        }
        return contestants;
    }

    /** Opens a scheduler with a pool and a publisher of its own. */
    Scheduler scheduler(Publisher publisher) {
        HikariDataSource pool = pool(1);
        opened.push(pool::close);
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .publisher(publisher)
                .retention(Duration.ZERO)
                .build();
        opened.push(scheduler::close);
        return scheduler;
    }

    private int calls() {
        return arguments().scenario().equals("slow-publisher") ? SlowPublisherScenario.calls(variant()) : 1;
    }

    /** Returns in which mode todos are run; null if timers are delivered. */
    private @Nullable TodoMode todos() {
        return switch (arguments().scenario()) {
            case "todos" -> TodosScenario.mode(variant());
            case "prompt" -> PromptScenario.isOfTodos(variant()) ? TodoMode.PARALLEL_BY_KEY : null;
            default -> null;
        };
    }

    private HikariDataSource pool(int nodes) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + type().urlOptions(arguments().database()));
        int threads = tuning().share(nodes).threads();
        config.setMaximumPoolSize(SPARE + (arguments().scenario().equals("schedule") ? CALLERS : threads));
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
        return new HikariDataSource(config);
    }

    /** Schedules timers by calls of 1,000. */
    void load(Contestant contestant, List<Entry> timers) throws Exception {
        for (int from = 0; from < timers.size(); from += BATCH) {
            contestant.schedule(timers.subList(from, Math.min(from + BATCH, timers.size())));
        }
    }

    /** Fills the tables with timers that are due in a month or later. */
    void fill(Contestant contestant, int count) throws Exception {
        if (count > 0) {
            contestant.schedule(Entry.list(1, Instant.now().plus(Duration.ofDays(30)), Duration.ZERO));
            try (Connection connection = connect()) {
                contestant.pending().fill(connection, arguments().database(), count);
            }
        }
    }

    /** Opens a store with one connection for the calls of operators. */
    ScheduleStore store() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(OPERATORS);
        HikariDataSource pool = new HikariDataSource(config);
        opened.push(pool::close);
        return JdbcScheduleStore.of(pool);
    }

    /** Fills the tables with timers most of which have ended, unless they are filled. */
    void fillWithEnded(Instant now, int timers) throws SQLException {
        try (Connection connection = connect()) {
            if (Sql.value(connection, "SELECT timer_id FROM timer_schedules LIMIT 1")
                    .isEmpty()) {
                Sql.script(
                        connection,
                        Sql.resource("operators/" + arguments().database().label() + ".sql")
                                .replace(":timers", Integer.toString(timers))
                                .replace(":now", Long.toString(now.getEpochSecond() * 1_000_000)));
                settle();
            }
        }
    }

    /** Returns whether the table holds an ended timer. */
    boolean hasEnded() throws SQLException {
        try (Connection connection = connect()) {
            return Sql.value(connection, "SELECT timer_id FROM timer_schedules WHERE settled_at IS NOT NULL LIMIT 1")
                    .isPresent();
        }
    }

    /** Fills a table that holds a timer with timers that were delivered and are kept. */
    void fillEnded(int count) throws SQLException {
        try (Connection connection = connect()) {
            Duetime.ended(arguments().database()).fill(connection, arguments().database(), count);
        }
    }

    /** Gives all timers a deadline this long after their due time, whether or not it has passed. */
    void expireAfterDue(Duration validFor) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement update =
                        connection.prepareStatement("UPDATE timer_schedules SET expires_at = due_at + ?")) {
            update.setLong(1, validFor.toNanos() / 1_000);
            update.executeUpdate();
        }
    }

    /** Gives all tables the settings of autovacuum that the documentation advises. PostgreSQL only. */
    void vacuumOften() throws SQLException {
        try (Connection connection = connect()) {
            Sql.vacuumOften(connection);
        }
    }

    /** Returns how many dead rows the tables have, as PostgreSQL counts them. */
    double deadRows() throws SQLException {
        try (Connection connection = connect()) {
            return Double.parseDouble(Sql.value(
                            connection,
                            "SELECT COALESCE(sum(n_dead_tup), 0) FROM pg_stat_all_tables"
                                    + " WHERE schemaname = current_schema()")
                    .orElse("0"));
        }
    }

    /** Updates statistics and writes a checkpoint after a load. */
    void settle() throws SQLException {
        try (Connection connection = connect()) {
            setting.databases().settle(connection);
        }
        System.gc();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Returns how many statements were executed so far. */
    long statements() {
        return statements.sum();
    }

    void measured(String metric, double value) {
        results.add(type().label(), variant(), metric, value);
    }

    /** Returns what the same contestant measured last in another variant. */
    OptionalDouble last(String variant, String metric) {
        return results.last(type().label(), variant, metric);
    }

    /** Keeps a line for the picture. */
    void drew(List<Point> points) {
        results.draw(type().label(), variant(), points);
    }

    @Override
    public void close() throws SQLException {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        setting.databases().drop(url);
    }
}
