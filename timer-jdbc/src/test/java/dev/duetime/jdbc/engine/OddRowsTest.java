package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that the other rows are delivered once each, whatever other programs write into a column of one row. */
class OddRowsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> NUMBERS = List.of(
            "-9223372036854775808", "9223372036854775807", "-62135596800000001", "0", "-1", "'abc'", "2147483647");
    private static final List<String> TEXTS =
            List.of("''", "'x'", "'[]'", "'{\"a\":1}'", "'cron */5 1-/ 1 1 1'", "'PT0S'", "'\u2028 forged'", "NULL");

    private static final Map<String, List<String>> VALUES = List.of(
                    "due_at",
                    "wake_at",
                    "expires_at",
                    "generation",
                    "attempt",
                    "priority",
                    "registered_at",
                    "first_failed_at",
                    "last_failed_at",
                    "previous_at",
                    "started_at",
                    "settled_at")
            .stream()
            .collect(Collectors.toMap(column -> column, column -> NUMBERS));

    /** If a database refuses to store a value, the reader need not handle it. */
    private static boolean write(HikariDataSource pool, String column, String value, String timerId) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE timer_schedules SET " + column + " = " + value + " WHERE timer_id = '" + timerId + "'");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void invalidNumbersInARowDelayNoOthers(Database kind) {
        nobodyIsHeldUp(kind, VALUES);
    }

    @ParameterizedTest
    @EnumSource
    void invalidTextsInARowDelayNoOthers(Database kind) {
        nobodyIsHeldUp(
                kind,
                List.of("recurrence", "headers", "type", "step", "error", "parallel_key", "correlation_key", "state")
                        .stream()
                        .collect(Collectors.toMap(column -> column, column -> TEXTS)));
    }

    /** No other timer makes the loop read. */
    @ParameterizedTest
    @EnumSource
    void aTimerThatWakesBeforeAllTimesIsFound(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            kit.scheduler().schedule(Timer.after("odd", Duration.ofDays(1)).build());
            assertThat(write(pool, "wake_at", NUMBERS.get(0), "odd")).isTrue();

            kit.advance(SECOND.multipliedBy(10));

            assertThat(kit.store().find(TimerKey.of("odd")).orElseThrow().state())
                    .isEqualTo(TimerState.REACHED);
        }
    }

    private static void nobodyIsHeldUp(Database kind, Map<String, List<String>> values) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            Recurrence daily = Recurrence.every(Duration.ofDays(1));
            int odd = 0;
            long now = Micros.toLong(kit.now());
            for (Map.Entry<String, List<String>> column : values.entrySet()) {
                for (String value : column.getValue()) {
                    for (boolean recurs : List.of(false, true)) {
                        String timerId = "odd-" + odd++;
                        kit.scheduler()
                                .schedule((recurs
                                                ? Timer.recurring(TimerKey.of(timerId), daily)
                                                : Timer.after(timerId, SECOND))
                                        .build());
                        write(pool, "due_at", now + ", wake_at = " + now, timerId);
                        write(pool, "error", "'failed', first_failed_at = 1, last_failed_at = 1", timerId);
                        write(pool, column.getKey(), value, timerId);
                    }
                }
            }
            IntStream.range(0, 20)
                    .forEach(i -> kit.scheduler()
                            .schedule(Timer.after("sound-" + i, SECOND.multipliedBy(1 + i))
                                    .build()));

            kit.advance(SECOND.multipliedBy(30));

            for (int i = 0; i < 20; i++) {
                TimerKey sound = TimerKey.of("sound-" + i);
                assertThat(kit.store().find(sound).orElseThrow().state()).isEqualTo(TimerState.REACHED);
                assertThat(kit.delivered(sound.timerId())).hasSize(1);
            }
            assertThat(kit.delivered().stream()
                            .collect(Collectors.groupingBy(each -> each.key().timerId(), Collectors.counting()))
                            .values())
                    .allSatisfy(count -> assertThat(count).isLessThan(4));
            kit.scheduler().schedule(Timer.after("later", SECOND).build());
            assertThat(kit.scheduler().cancel(TimerKey.of("later"))).isEqualTo(CancelResult.CANCELLED);
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNull();
        }
    }

    /** A replacement for what is no character would make another key of it, which no outcome matches. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "SQLITE"})
    void aKeyThatIsNotUtf8IsNotDelivered(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            int odd = 0;
            for (String column : List.of("tenant_id", "timer_id", "scope")) {
                for (String bytes : List.of("ff", "ff61", "e2", "61e2", "6fe262", "c080", "eda080", "f4908080")) {
                    String timerId = "odd-" + odd++;
                    kit.scheduler().schedule(Timer.after(timerId, SECOND).build());
                    assertThat(write(pool, column, kind.textOf(bytes), timerId)).isTrue();
                }
            }
            List<TimerKey> sound = Stream.of("a", "o", "o\u2026", "o\uFFFDb", "p", "\uFFFD", "\uFFFDa")
                    .map(TimerKey::of)
                    .toList();
            sound.forEach(
                    key -> kit.scheduler().schedule(Timer.after(key, SECOND).build()));

            assertThat(paged(kit)).containsExactlyInAnyOrderElementsOf(sound);
            kit.advance(SECOND.multipliedBy(90));

            assertThat(kit.delivered()).extracting(Envelope::key).containsExactlyInAnyOrderElementsOf(sound);
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNull();
        }
    }

    /** Drivers put this character in the place of bytes that are not UTF-8. */
    @ParameterizedTest
    @EnumSource
    void theReplacementCharacterIsATextLikeAnyOther(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            TimerKey key = TimerKey.of("\uFFFD", "a\uFFFD");
            kit.scheduler()
                    .schedule(Timer.after(key, SECOND)
                            .type("\uFFFD")
                            .parallelKey("\uFFFDb")
                            .build());
            assertThat(paged(kit)).containsExactly(key);
            kit.advance(SECOND.multipliedBy(2));

            assertThat(kit.delivered()).extracting(Envelope::key).containsExactly(key);
            assertThat(kit.store().find(key).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        }
    }

    /** Returns the keys of all scheduled timers, read one by one. */
    private static List<TimerKey> paged(TimerKit kit) {
        List<TimerKey> keys = new ArrayList<>();
        TimerQuery query = TimerQuery.all().state(TimerState.SCHEDULED).limit(1);
        List<StoredTimer> page = kit.scheduler().query(query);
        while (!page.isEmpty()) {
            TimerKey last = page.get(0).key();
            keys.add(last);
            page = kit.scheduler().query(query.after(last));
        }
        return keys;
    }

    /** The engine compares these texts with what it has read before. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "SQLITE"})
    void aTextThatIsNotUtf8EndsItsTimerAsDead(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            List<String> columns = List.of("type", "step", "parallel_key", "correlation_key", "correlation_id");
            for (String column : columns) {
                kit.scheduler().schedule(Timer.after(column, SECOND).build());
                assertThat(write(pool, column, kind.textOf("61ff"), column)).isTrue();
            }
            kit.scheduler().schedule(Timer.after("sound", SECOND).build());
            kit.advance(SECOND.multipliedBy(5));

            assertThat(kit.delivered()).extracting(Envelope::key).containsExactly(TimerKey.of("sound"));
            for (String column : columns) {
                StoredTimer dead = kit.store().find(TimerKey.of(column)).orElseThrow();
                assertThat(dead.state()).as(column).isEqualTo(TimerState.DEAD);
                assertThat(dead.failure()).asString().contains(column + " must be UTF-8");
            }
        }
    }

    /** A replacement for what is no character would make another item of it, which nobody could close. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "SQLITE"})
    void anItemThatIsNotUtf8IsSkipped(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            ListStore items = JdbcScheduleStore.of(pool).todos();
            for (String bytes : List.of("ff", "62e2", "62e263")) {
                JdbcPart.execute(
                        pool,
                        "INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES ('orders', "
                                + kind.textOf(bytes) + ", 1)");
            }
            List<ListItem> sound = Stream.of("a", "b\u2026", "c", "\uFFFD")
                    .map(id -> new ListItem(new ListKey("orders", id), Micros.ofLong(1)))
                    .toList();
            items.put(sound);

            Instant now = Instant.EPOCH.plusSeconds(1);
            assertThat(items.overdue("orders", now, null, 10)).isEqualTo(sound);
            assertThat(items.overdue("orders", now, null, 4)).isEqualTo(sound);
            List<ListItem> paged = new ArrayList<>();
            List<ListItem> page = items.overdue("orders", now, null, 1);
            while (!page.isEmpty()) {
                paged.addAll(page);
                page = items.overdue("orders", now, page.get(0), 1);
            }
            assertThat(paged).isEqualTo(sound);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfReschedulesIsFollowedByAnother(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            for (String revision : List.of("2147483647", "2147483646", "-1", "-2147483648")) {
                TimerKey key = TimerKey.of("rescheduled " + revision + " times");
                kit.scheduler().schedule(Timer.after(key, SECOND).build());
                assertThat(write(pool, "revision", revision, key.timerId())).isTrue();

                assertThat(kit.scheduler()
                                .schedule(
                                        Timer.after(key, SECOND.multipliedBy(2)).build())
                                .outcome())
                        .isEqualTo(ScheduleOutcome.RESCHEDULED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfAttemptsIsFollowedByAPauseBeforeTheNext(Database kind) {
        Map<String, Integer> calls = new HashMap<>();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.publisher(batch -> refuse(batch, calls)))
                        .build()) {
            List<String> attempts = List.of("-2147483648", "-1", "2147483646", "2147483647");
            for (String attempt : attempts) {
                TimerKey key = TimerKey.of("tried " + attempt + " times");
                kit.scheduler().schedule(Timer.after(key, SECOND).build());
                assertThat(write(pool, "attempt", attempt, key.timerId())).isTrue();
            }
            kit.advance(SECOND.multipliedBy(30));

            assertThat(calls).hasSize(attempts.size()).doesNotContainKey("not positive");
            assertThat(calls.values()).allSatisfy(count -> assertThat(count).isLessThan(10));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseWithoutAnEndIsVoid(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .notStarted()
                        .build()) {
            kit.scheduler().schedule(Timer.after("a", SECOND).build());
            JdbcPart.execute(pool, "UPDATE timer_shards SET owner = 'x', lease_until = NULL");
            kit.node(0).start();
            kit.advance(SECOND.multipliedBy(30));

            assertThat(kit.delivered("a")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfTurnsOfCorrelationKeysIsFollowedByAnother(Database kind) {
        TodoQueue likes = TodoQueue.builder("likes")
                .type("count", Integer.class, (todo, run) -> Outcome.complete(), type -> type.merge(Merge.once()))
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.todoQueue(likes))
                        .build()) {
            NewTodo like =
                    NewTodo.of("count", 1).startAt(kit.now().plus(SECOND)).correlationKey("post");
            likes.enqueue(like);
            for (String turn : List.of("9223372036854775807", "9223372036854775806", "-1")) {
                JdbcPart.execute(pool, "UPDATE timer_merge_slots SET turn = " + turn);
                assertThat(likes.enqueue(like).outcome()).isEqualTo(ScheduleOutcome.DROPPED);
            }
        }
    }

    /** Its times would make the merged todo one that cannot be stored. */
    @ParameterizedTest
    @EnumSource
    void nothingIsMergedIntoATodoWithIllegalTimes(Database kind) {
        TodoQueue likes = TodoQueue.builder("likes")
                .type(
                        "count",
                        Integer.class,
                        (todo, run) -> Outcome.complete(),
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.todoQueue(likes))
                        .build()) {
            for (String times : List.of("expires_at = due_at - 1", "due_at = 9223372036854775807")) {
                NewTodo like = NewTodo.of("count", 1)
                        .startAt(kit.now().plus(SECOND))
                        .validFor(Duration.ofHours(1))
                        .correlationKey(times);
                likes.enqueue(like);
                JdbcPart.execute(
                        pool, "UPDATE timer_schedules SET " + times + " WHERE correlation_key = '" + times + "'");

                assertThat(likes.enqueue(like).outcome()).as(times).isEqualTo(ScheduleOutcome.CREATED);
                assertThat(likes.enqueue(like).outcome()).as(times).isEqualTo(ScheduleOutcome.MERGED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyVersionOfALimitIsFollowedByAnother(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.queue("default", queue -> queue.concurrencyLimit(8)))
                        .build()) {
            for (String version : List.of("1", "9223372036854775807", "0", "-1", "-9223372036854775808")) {
                JdbcPart.execute(pool, "UPDATE timer_permits SET version = " + version + " WHERE node = ''");
                kit.scheduler().schedule(Timer.after("a" + version, SECOND).build());
                kit.advance(SECOND.multipliedBy(90));

                assertThat(kit.delivered("a" + version)).as(version).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyNumberOfHintsIsFollowedByAnother(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
            for (String sent : List.of("1", "9223372036854775807", "-1", "-9223372036854775808")) {
                kit.scheduler().admin().activity();
                JdbcPart.execute(pool, "UPDATE timer_hints SET sent = " + sent);
                kit.advance(Duration.ofMinutes(5));

                assertThat(kit.scheduler().admin().activity()).as(sent).isNotNull();
            }
        }
    }

    private static void refuse(List<Envelope> batch, Map<String, Integer> calls) throws PartialPublishException {
        Map<String, Throwable> failures = new HashMap<>();
        for (Envelope each : batch) {
            calls.merge(each.attempt() > 0 ? each.key().timerId() : "not positive", 1, Integer::sum);
            failures.put(each.id(), new IOException("refused"));
        }
        throw new PartialPublishException(failures);
    }
}
