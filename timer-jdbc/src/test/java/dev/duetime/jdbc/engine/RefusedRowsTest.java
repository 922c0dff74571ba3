package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.RetryPolicy;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.CountingDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.CollisionException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a row which the database refuses is tried once. The refusal is not taken for a collision, and not for
 * an outage.
 */
class RefusedRowsTest {

    @ParameterizedTest
    @EnumSource
    void aRefusedScheduleIsTriedOnce(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counting = new CountingDataSource(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(counting)).build()) {
                JdbcPart.execute(pool, kind.refusingHeaders());
                Timer timer = Timer.at("refused", kit.now()).header("h", "long").build();
                int before = counting.connections();

                assertThatThrownBy(() -> kit.scheduler().schedule(timer))
                        .isInstanceOf(StoreException.class)
                        .isNotInstanceOf(CollisionException.class);

                assertThat(counting.connections() - before).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedOutcomeIsTriedOnce(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counting = new CountingDataSource(pool);
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(counting)).build()) {
                kit.scheduler().schedule(Timer.at("refused", kit.now()).build());
                JdbcPart.execute(pool, kind.refusingToEnd("refused"));
                long generation =
                        kit.store().find(TimerKey.of("refused")).orElseThrow().generation();
                List<Settlement> outcome = List.of(new Settlement.Ended(
                        TimerKey.of("refused"), generation, TimerState.REACHED, Instant.EPOCH, 1, null));
                int before = counting.connections();

                assertThatThrownBy(() -> kit.store().settle(outcome)).isInstanceOf(RefusedException.class);

                assertThat(counting.connections() - before).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTodoThatCannotBeStartedWaitsAndTheOthersRun(Database kind) {
        waitsForItsStart(kind, kind.refusingToStart("bad"));
    }

    /** Not even its delay can be written. */
    @ParameterizedTest
    @EnumSource
    void aTodoThatCannotBeWrittenWaitsAndTheOthersRun(Database kind) {
        waitsForItsStart(kind, kind.refusingToWrite("bad"));
    }

    /** Only todos with a correlation key are noted as running: others may be merged with them until then. */
    private static void waitsForItsStart(Database kind, String refusing) {
        List<String> ran = new ArrayList<>();
        List<String> outages = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .type(
                        "job",
                        String.class,
                        (todo, run) -> {
                            ran.add(todo.id());
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.once()))
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.todoQueue(queue).listener(new NodeListener() {
                            @Override
                            public void outageBegan(String what, Throwable cause) {
                                outages.add(what + ": " + cause.getMessage());
                            }
                        }))
                        .build()) {
            JdbcPart.execute(pool, refusing);
            for (String id : List.of("bad", "good")) {
                queue.enqueue(NewTodo.of("job", "p").id(id).correlationKey(id));
            }
            kit.advance(Duration.ofMinutes(5));
            queue.enqueue(NewTodo.of("job", "p").id("later").correlationKey("later"));
            kit.advance(Duration.ofMillis(10));

            assertThat(outages).isEmpty();
            assertThat(ran).containsExactly("good", "later");
            assertThat(kit.store().find(queue.key("bad")).orElseThrow().attempt())
                    .isZero();

            JdbcPart.execute(pool, kind.refusingNoMore());
            kit.advance(Duration.ofMinutes(1));
            assertThat(ran).containsExactly("good", "later", "bad");
            assertThat(kit.store().find(queue.key("bad")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        }
    }

    /** At first the outcome is alone, later it is one of many. */
    @ParameterizedTest
    @EnumSource(names = "H2", mode = EnumSource.Mode.EXCLUDE)
    void anOutcomeThatATriggerRefusesByACodeOfItsOwnIsSetAside(Database kind) {
        List<String> outages = new ArrayList<>();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.listener(new NodeListener() {
                            @Override
                            public void outageBegan(String what, Throwable cause) {
                                outages.add(what + ": " + cause.getMessage());
                            }
                        }))
                        .build()) {
            kind.refusingToEndByACodeOfItsOwn("bad").forEach(each -> JdbcPart.execute(pool, each));
            kit.scheduler().schedule(Timer.at("bad", kit.now()).build());
            kit.advance(Duration.ofMillis(10));
            for (int i = 0; i < 40; i++) {
                kit.scheduler()
                        .schedule(Timer.after("ok" + i, Duration.ofMillis(100L * (i / 4)))
                                .build());
            }
            kit.advance(Duration.ofMinutes(3));

            assertThat(outages).isEmpty();
            for (int i = 0; i < 40; i++) {
                assertThat(kit.store().find(TimerKey.of("ok" + i)).orElseThrow().state())
                        .isEqualTo(TimerState.REACHED);
            }
            assertThat(kit.delivered("bad")).hasSize(1);
            assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().state())
                    .isEqualTo(TimerState.SCHEDULED);

            JdbcPart.execute(pool, kind.refusingByACodeNoMore());
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.delivered("bad")).hasSize(1);
            assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().state())
                    .isEqualTo(TimerState.REACHED);
        }
    }

    /** A table that cannot be written at all is an outage, and the end of it is noticed. */
    @ParameterizedTest
    @EnumSource
    void aTableThatIsAwayIsAnOutage(Database kind) {
        List<String> outages = new ArrayList<>();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler
                                .publisher(batch -> {
                                    JdbcPart.execute(pool, "ALTER TABLE timer_schedules RENAME TO gone");
                                    outages.add("published");
                                })
                                .listener(new NodeListener() {
                                    @Override
                                    public void outageBegan(String what, Throwable cause) {
                                        outages.add(what);
                                    }
                                }))
                        .build()) {
            kit.scheduler().schedule(Timer.at("a", kit.now()).build());
            kit.scheduler().schedule(Timer.at("b", kit.now()).build());
            kit.advance(Duration.ofMinutes(2));
            assertThat(outages).containsExactly("published", "store");

            JdbcPart.execute(pool, "ALTER TABLE gone RENAME TO timer_schedules");
            kit.advance(Duration.ofMinutes(1));
            for (String timerId : List.of("a", "b")) {
                assertThat(kit.store().find(TimerKey.of(timerId)).orElseThrow().state())
                        .isEqualTo(TimerState.REACHED);
            }
        }
    }

    private static TodoQueue queue(StepHandler<String> bad) {
        return TodoQueue.builder("work")
                .type(
                        "job",
                        String.class,
                        (todo, run) -> todo.id().equals("bad") ? bad.execute(todo, run) : Outcome.complete())
                .retry(RetryPolicy.fixed(Duration.ofHours(1)).maxAttempts(2))
                .build();
    }

    /** Runs a todo whose outcome the database refuses. It costs an attempt, and the next todo runs at once. */
    private static void costsAnAttempt(Database kind, String refusing, StepHandler<String> bad) {
        int[] runs = {0};
        TodoQueue queue = queue((todo, run) -> {
            runs[0]++;
            return bad.execute(todo, run);
        });
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.todoQueue(queue))
                        .build()) {
            JdbcPart.execute(pool, refusing);
            queue.enqueue(NewTodo.of("job", "p").id("bad"));
            kit.advance(Duration.ofSeconds(1));
            queue.enqueue(NewTodo.of("job", "p").id("good"));
            kit.advance(Duration.ofMillis(10));

            assertThat(kit.store().find(queue.key("good")).orElseThrow().state())
                    .isEqualTo(TimerState.REACHED);
            assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
            assertThat(runs[0]).isEqualTo(1);
            assertThat(kit.store().find(queue.key("bad")).orElseThrow().attempt())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedTimerOfAHandlerCostsItsTodoAnAttempt(Database kind) {
        costsAnAttempt(kind, kind.refusingHeaders(), (todo, run) -> {
            run.schedule(Timer.after("refused", Duration.ofDays(1))
                    .header("h", "long")
                    .build());
            return Outcome.complete();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedEndWithAPayloadCostsItsTodoAnAttempt(Database kind) {
        costsAnAttempt(
                kind,
                kind.refusingToEnd("bad"),
                (todo, run) -> Outcome.giveUp("hopeless").with("noted"));
    }
}
