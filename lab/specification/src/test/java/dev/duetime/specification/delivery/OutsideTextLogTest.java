package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.duetime.MalformedMessageException;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.UnknownTypeException;
import dev.duetime.admin.QueuePause;
import dev.duetime.command.ScheduleTimerHandler;
import dev.duetime.specification.LogLines;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.TodoList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that no text from outside reaches a log unescaped, wherever it comes from, and that no password reaches it.
 */
class OutsideTextLogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String SECRET = "top/se@cret";
    /** Characters that a key may contain, and that would break a line of the log or hide a part of it. */
    private static final String INVISIBLE = "\u2028ERROR forged \u202edegrof\u2029";

    private static final String FORGED = "x\r\nERROR forged" + INVISIBLE;
    private static final Pattern ODD = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private final TestClock clock = new TestClock();

    @Test
    void noLineHoldsTextFromOutsideUnescaped() {
        try (LogLines lines = LogLines.ofDuetime()) {
            HostileStore store = new HostileStore(new InMemoryScheduleStore(clock));
            TimerKit kit = TimerKit.builder()
                    .store(store)
                    .configure(scheduler -> scheduler.publisher(batch -> {
                        throw new IOException(FORGED);
                    }))
                    .build();
            Scheduler scheduler = kit.scheduler();
            for (String id : List.of("poison", "late", "unreadable", "recurrence")) {
                scheduler.schedule(Timer.after(TimerKey.of(INVISIBLE, id), SECOND)
                        .type("type" + INVISIBLE)
                        .correlationId("c" + INVISIBLE)
                        .header("header" + INVISIBLE, INVISIBLE)
                        .validFor(Duration.ofSeconds(id.equals("late") ? 1 : 3_600))
                        .build());
            }
            kit.node(0).pause();
            kit.advance(SECOND.multipliedBy(4));
            kit.node(0).resume();
            kit.advance(Duration.ofMinutes(30));
            store.away = true;
            kit.advance(SECOND.multipliedBy(10));
            store.away = false;
            kit.advance(Duration.ofHours(1));

            assertThat(lines.all())
                    .anyMatch(each -> text(each).contains("cannot be read"))
                    .anyMatch(each -> text(each).contains("is left to other nodes"))
                    .anyMatch(each -> text(each).contains("expired at"))
                    .anyMatch(each -> text(each).contains("no route to db://…@host password=…"));
            assertThat(lines.all()).allSatisfy(each -> assertThat(text(each)).doesNotContainPattern(ODD));
            assertThat(lines.all()).noneMatch(each -> everything(each).contains("cret"));
            assertThat(scheduler.admin().health().toString())
                    .doesNotContain("cret")
                    .doesNotContainPattern(ODD);
        }
    }

    @Test
    void anUnknownTypeIsLoggedEscaped() {
        try (LogLines lines = LogLines.ofDuetime()) {
            TodoQueue todos = TodoQueue.builder("todos")
                    .type("known", String.class, (todo, run) -> Outcome.complete())
                    .build();
            TimerKit kit = TimerKit.builder()
                    .configure(scheduler -> scheduler.todoQueue(todos).publisher(batch -> {
                        throw new UnknownTypeException("type" + INVISIBLE, List.of("known"));
                    }))
                    .build();
            for (String queue : List.of(Timer.DEFAULT_QUEUE, "todos")) {
                kit.scheduler()
                        .schedule(Timer.after(new TimerKey("a", "b-" + queue), SECOND)
                                .queue(queue)
                                .type("type" + INVISIBLE)
                                .step("step" + INVISIBLE)
                                .build());
            }
            kit.advance(SECOND.multipliedBy(3));

            assertThat(lines.all())
                    .anyMatch(each -> text(each).contains("is scheduled on queue todos"))
                    .anyMatch(each -> text(each).contains("queue default has no handler"))
                    .anyMatch(each -> text(each).contains("queue todos has no handler"))
                    .allSatisfy(each -> assertThat(text(each)).doesNotContainPattern(ODD));
        }
    }

    @Test
    void aNameOfAnotherNodeIsLoggedEscaped() {
        try (LogLines lines = LogLines.ofDuetime()) {
            TimerKit kit = TimerKit.builder().notStarted().build();
            ShardLeases leases = kit.store().leases();
            Set<Integer> all = Set.of(0, 1, 2, 3);
            leases.acquire("default", all, FORGED, kit.now(), kit.now().plus(Duration.ofDays(1_000)));
            leases.acquire("other", all, FORGED, kit.now(), kit.now().plus(Duration.ofMinutes(50)));
            kit.store().admin().pause("default", new QueuePause(kit.now(), FORGED));
            kit.node(0).start();
            kit.advance(Duration.ofMinutes(2));

            assertThat(lines.all())
                    .anyMatch(each -> text(each).contains("they are void"))
                    .anyMatch(each -> text(each).contains("has been paused"))
                    .allSatisfy(each -> assertThat(text(each)).doesNotContainPattern(ODD));
        }
    }

    @Test
    void aNodeWithAnotherLimitIsLoggedEscaped() {
        try (LogLines lines = LogLines.ofDuetime();
                TimerKit kit = TimerKit.builder()
                        .notStarted()
                        .configure(node -> node.queue("default", queue -> queue.concurrencyLimit(5)))
                        .build()) {
            Share share = new Share(FORGED, 0, 1, 3, 0, kit.now(), kit.now().plus(Duration.ofMinutes(1)));
            Limit limit = new Limit("default", "concurrency");
            kit.store().permits().change(Set.of(new Change(limit, Permits.UNWRITTEN, kit.now(), share, Set.of())));
            kit.node(0).start();
            kit.scheduler().schedule(Timer.after("a", SECOND).build());
            kit.advance(SECOND.multipliedBy(30));

            assertThat(lines.all())
                    .anyMatch(each -> text(each).contains("differs between this node and x"))
                    .allSatisfy(each -> assertThat(text(each)).doesNotContainPattern(ODD));
        }
    }

    @Test
    void aRefusalHoldsTextFromOutsideEscaped() {
        ScheduleTimerHandler handler =
                new ScheduleTimerHandler(TimerKit.builder().build().scheduler());
        String json = FORGED.replace("\r", "\\r").replace("\n", "\\n");
        String command = "{\"tenantId\":\"a\",\"timerId\":\"b\",\"dueAt\":\"2036-01-01T00:00:00Z\",\"%s\":%s}";
        List<String> commands = new ArrayList<>();
        for (String field :
                List.of("tenantId", "timerId", "dueAt", "type", "queue", "correlationId", "expiresAt", "validFor")) {
            commands.add(command.formatted(field, "\"" + json + "\""));
        }
        commands.add(command.formatted("queue", "\"unknown" + INVISIBLE + "\""));
        commands.add(command.formatted("headers", "{\"" + json + "\":1}"));
        commands.add(command.formatted("headers", "{\"" + json + "\":\"v\"}"));
        commands.add(command.formatted("recurrence", "\"day " + json + "\"").replace("dueAt", "other"));
        commands.add(command.formatted("recurrence", "\"cron \\\"* * * * " + INVISIBLE + "\\\" UTC\"")
                .replace("dueAt", "other"));

        for (String each : commands) {
            assertThatExceptionOfType(MalformedMessageException.class)
                    .as(each)
                    .isThrownBy(() -> handler.handle(each.getBytes(StandardCharsets.UTF_8)))
                    .satisfies(e -> assertThat(e.field() + e.getMessage()).doesNotContainPattern(ODD));
        }
    }

    @Test
    void aNameWithInvisibleCharactersIsRefused() {
        for (Runnable each : List.<Runnable>of(
                () -> Scheduler.builder().nodeId("node" + INVISIBLE),
                () -> Scheduler.builder().queue("queue" + INVISIBLE, queue -> {}),
                () -> TodoList.of("list" + INVISIBLE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(each::run)
                    .satisfies(
                            e -> assertThat(e.getMessage()).contains("must not").doesNotContainPattern(ODD));
        }
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage() + event.getMDCPropertyMap();
    }

    private static String everything(ILoggingEvent event) {
        return text(event)
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    /** A store with rows that others wrote. Its errors quote everything that it knows. */
    private static final class HostileStore extends PassThroughStore {
        private volatile boolean away;

        HostileStore(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            if (away) {
                throw new StoreException(
                        "read",
                        FORGED,
                        new IOException("no route to db://me:%s@host password=%s".formatted(SECRET, SECRET) + FORGED));
            }
            DueTimers due = intact.due(query);
            List<StoredTimer> timers = new ArrayList<>();
            List<DueTimers.Undecodable> unreadable = new ArrayList<>(due.undecodable());
            for (StoredTimer each : due.timers()) {
                switch (each.key().timerId()) {
                    case "unreadable" ->
                        unreadable.add(
                                new DueTimers.Undecodable(each.key(), each.generation(), each.attempt(), FORGED));
                    case "recurrence" -> timers.add(written(each, FORGED));
                    default -> timers.add(written(each, null));
                }
            }
            return new DueTimers(timers, unreadable, due.more());
        }

        private static StoredTimer written(StoredTimer timer, @Nullable String recurrence) {
            TimerContent content = timer.content();
            TimerContent hostile = new TimerContent(
                    content.queue(),
                    content.dueAt(),
                    content.expiresAt(),
                    FORGED,
                    content.payload(),
                    Map.of(FORGED, FORGED),
                    content.priority(),
                    FORGED,
                    content.parallelKey(),
                    content.correlationKey(),
                    recurrence,
                    content.catchUp(),
                    content.step());
            return new StoredTimer(
                    timer.key(),
                    timer.shard(),
                    hostile,
                    timer.state(),
                    timer.generation(),
                    timer.attempt(),
                    timer.wakeAt(),
                    timer.registeredAt(),
                    timer.settledAt(),
                    timer.previousAt(),
                    timer.failure());
        }
    }
}
