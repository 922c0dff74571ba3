package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerCount;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.NodeListener;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.slf4j.LoggerFactory;

/** The rule that a row which the database refuses stops no other row, where the engine writes many rows at once. */
class RefusedRowsOfManyTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder()
                .store(JdbcScheduleStore.of(pool))
                .configure(scheduler -> scheduler.retention(HOUR))
                .build();
    }

    private static boolean exists(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).isPresent();
    }

    private static TimerState state(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private static void scheduleThree(TimerKit kit, Duration delay) {
        for (String timerId : List.of("a", "refused", "z")) {
            kit.scheduler().schedule(Timer.after(timerId, delay).build());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedTickStopsNoOther(Database kind) {
        List<Instant> minutes = new ArrayList<>();
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "good", minute -> minutes.add(minute.now()))
                .on(HourHasPassed.class, "bad", hour -> {})
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            try (TimerKit empty = TimerKit.builder()
                    .store(store)
                    .configure(scheduler -> scheduler.extension(time))
                    .build()) {
                empty.advance(Duration.ofSeconds(1));
            }
            String bad = store.query(TimerQuery.all()).stream()
                    .map(timer -> timer.key().timerId())
                    .filter(id -> id.contains("bad"))
                    .findFirst()
                    .orElseThrow();
            JdbcPart.execute(pool, "DELETE FROM timer_schedules");
            JdbcPart.execute(pool, kind.refusingToStore(bad));
            try (TimerKit kit = TimerKit.builder()
                    .store(store)
                    .configure(scheduler -> scheduler.extension(time))
                    .build()) {
                kit.advance(Duration.ofMinutes(3));

                assertThat(minutes).isNotEmpty();
                assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTimerThatCannotBeDeletedDoesNotStopThePurge(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            scheduleThree(kit, Duration.ZERO);
            kit.advance(Duration.ofSeconds(1));
            JdbcPart.execute(pool, kind.refusingToDelete("refused"));

            kit.advance(HOUR.plus(Duration.ofMinutes(5)));

            assertThat(exists(kit, "a")).isFalse();
            assertThat(exists(kit, "z")).isFalse();
            assertThat(exists(kit, "refused")).isTrue();
            assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
        }
    }

    /** The refused ones come first, and are more than a page. A code that no standard knows might also be an outage. */
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRESQL"})
    void manyTimersThatCannotBeDeletedDoNotStopThePurge(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            List<Timer> timers = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                timers.add(Timer.after("refused" + i, Duration.ZERO).build());
            }
            timers.add(Timer.after("z", Duration.ZERO).build());
            kit.scheduler().scheduleAll(timers);
            kit.advance(Duration.ofSeconds(1));
            kind.refusingToDeleteByACodeOfItsOwn("timer_schedules", "timer_id", "refused")
                    .forEach(each -> JdbcPart.execute(pool, each));

            kit.advance(HOUR.plus(Duration.ofMinutes(5)));

            assertThat(exists(kit, "z")).isFalse();
            assertThat(exists(kit, "refused0")).isTrue();
        }
    }

    /** A backlog of expired timers is ended without being read, many timers by one statement. */
    @ParameterizedTest
    @EnumSource
    void aRefusedExpiryHoldsUpNoOther(Database kind) {
        List<String> outages = new ArrayList<>();
        NodeListener listener = new NodeListener() {
            @Override
            public boolean wantsEachExpired() {
                return false;
            }

            @Override
            public void outageBegan(String what, Throwable cause) {
                outages.add(what + ": " + cause.getMessage());
            }
        };
        Logger log = (Logger) LoggerFactory.getLogger("dev.duetime.engine.report.TimerLog");
        Level before = log.getLevel();
        log.setLevel(Level.INFO); // A line of each timer needs each timer.
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .notStarted()
                        .configure(scheduler -> scheduler.batchSize(100).listener(listener))
                        .build()) {
            Instant dueAt = kit.now();
            List<Timer> expired = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                expired.add(Timer.at(i == 1_500 ? "refused" : "e" + i, dueAt)
                        .validFor(Duration.ofSeconds(1))
                        .build());
            }
            kit.scheduler().scheduleAll(expired);
            JdbcPart.execute(pool, kind.refusingToEnd("refused"));
            kit.advance(Duration.ofSeconds(10));
            kit.scheduler().schedule(Timer.at("a", kit.now()).build());
            kit.node(0).start();
            kit.advance(Duration.ofMillis(10));
            assertThat(kit.delivered("a")).hasSize(1);
            kit.scheduler().schedule(Timer.at("z", kit.now()).build());
            kit.advance(Duration.ofMillis(10));
            assertThat(kit.delivered("z")).hasSize(1);
            kit.advance(Duration.ofMinutes(3));

            assertThat(outages).isEmpty();
            assertThat(kit.scheduler().admin().count(TimerQuery.all().state(TimerState.SCHEDULED)))
                    .extracting(TimerCount::timers)
                    .containsExactly(1L);
            JdbcPart.execute(pool, kind.refusingNoMore());
            kit.advance(Duration.ofMinutes(1));
            assertThat(state(kit, "refused")).isEqualTo(TimerState.EXPIRED);
        } finally {
            log.setLevel(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedRemovalStopsNoOtherItemOfItsList(Database kind) throws InterruptedException {
        List<String> handled = new ArrayList<>();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            TodoList<String> list = TodoList.of("orders");
            list.attach(kit.scheduler());
            Instant now = kit.now().plusSeconds(10);
            list.add("a", now.minusSeconds(3));
            list.add("refused", now.minusSeconds(2));
            list.add("z", now.minusSeconds(1));
            JdbcPart.execute(pool, kind.refusingToRemove("refused"));

            list.onTick(now, (id, at) -> {
                handled.add(id);
                return Verdict.DONE;
            });

            assertThat(handled).containsExactly("a", "refused", "z");
            assertThat(list.overdue(now)).containsExactly("refused");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void refusedRemovalsInFrontStopNoOtherItemOfTheirList(Database kind) throws InterruptedException {
        List<String> handled = new ArrayList<>();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            TodoList<String> list = TodoList.of("orders");
            list.attach(kit.scheduler());
            Instant now = kit.now().plusSeconds(10);
            for (String id : List.of("refused1", "refused2", "refused3", "refused4", "z")) {
                list.add(id, now.minusSeconds(1));
            }
            kind.refusingToDeleteByACodeOfItsOwn("timer_todo_items", "item_id", "refused")
                    .forEach(each -> JdbcPart.execute(pool, each));

            list.onTick(now, (id, at) -> {
                handled.add(id);
                return Verdict.DONE;
            });

            assertThat(handled).hasSize(5).endsWith("z");
            assertThat(list.overdue(now)).hasSize(4).doesNotContain("z");
        }
    }
}
