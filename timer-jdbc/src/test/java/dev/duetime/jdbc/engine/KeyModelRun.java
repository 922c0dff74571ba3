package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.engine.KeyModel.Content;
import dev.duetime.jdbc.engine.KeyModel.Delivery;
import dev.duetime.jdbc.engine.KeyModel.Name;
import dev.duetime.jdbc.engine.KeyModel.Said;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A random run of the real engine in virtual time on a store, beside a {@link KeyModel}. All names look alike, and all
 * things use the same ones: timers, todos, recurring timers and to-do lists. Not thread-safe.
 */
final class KeyModelRun implements AutoCloseable {
    private static final List<String> LOOK_ALIKE = List.of(
            "a",
            "A",
            "a ",
            " a",
            "\u00E1",
            "a\u0301",
            "\uFF41",
            "a\u200B",
            "\uFEFFa",
            "\u2400",
            "\uFFFD",
            "\uFFFF",
            "\uD83D\uDE00",
            "\uDBFF\uDFFF",
            "a\"",
            "a\\",
            "a'",
            "a,",
            "a@work",
            "a%",
            "%",
            "_",
            "null",
            "x".repeat(255),
            "x".repeat(254) + "y",
            "\uD83D\uDE00".repeat(127),
            "\u65E5".repeat(255));

    private static final List<String> QUEUES = List.of("mails", "Mails");
    private static final List<String> TODO_QUEUES = List.of("work", "work ");
    private static final Duration RETENTION = Duration.ofMinutes(10);
    private static final String COUNTED = "counted";
    private static final String FIRST = "first";

    private final KeyModel model = new KeyModel();
    private final Map<List<String>, Instant> items = new HashMap<>();
    private final List<Delivery> delivered = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final Random random;
    private final List<String> tenants;
    private final List<String> ids;
    private final TimerKit kit;
    private final List<TodoQueue> todos =
            TODO_QUEUES.stream().map(this::todoQueue).toList();
    private final List<TodoList<String>> lists =
            List.of("mails", "work").stream().map(TodoList::of).toList();
    private int number;

    KeyModelRun(ScheduleStore store, long seed) {
        random = new Random(seed);
        tenants = some(4);
        ids = some(5);
        kit = TimerKit.builder()
                .store(store)
                .seed(seed)
                .configure(this::configure)
                .build();
    }

    private List<String> some(int count) {
        List<String> shuffled = new ArrayList<>(LOOK_ALIKE);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, count);
    }

    private void configure(SchedulerBuilder builder) {
        builder.retention(RETENTION)
                .leaseDuration(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMinutes(1))
                .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).noRetryOn(IllegalArgumentException.class));
        QUEUES.forEach(each -> builder.queue(each, queue -> queue.shards(3).publisher(this::publish)));
        todos.forEach(builder::todoQueue);
        lists.forEach(builder::extension);
    }

    private TodoQueue todoQueue(String name) {
        return TodoQueue.builder(name)
                .type(FIRST, String.class, (todo, run) -> handle(name, todo))
                .type(
                        COUNTED,
                        String.class,
                        (todo, run) -> handle(name, todo),
                        type -> type.merge(Merge.collect(String::concat)))
                .build();
    }

    private Outcome handle(String queue, Todo<String> todo) {
        if (todo.payload().contains(KeyModel.FATAL)) {
            return Outcome.giveUp("fatal");
        }
        delivered.add(new Delivery(new Name(todo.key().tenantId(), todo.id(), queue), todo.payload()));
        return Outcome.complete();
    }

    private void publish(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failures = new HashMap<>();
        for (Envelope each : batch) {
            String payload = each.payload(String.class);
            if (payload.contains(KeyModel.FATAL)) {
                failures.put(each.id(), new IllegalArgumentException("fatal"));
            } else {
                delivered.add(
                        new Delivery(new Name(each.key().tenantId(), each.key().timerId(), ""), payload));
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    /** Does random things, and compares after each. */
    void run(int count) {
        for (int i = 0; i < count; i++) {
            step();
            kit.runDue();
            model.pass(kit.now(), "");
            compare();
        }
    }

    private void step() {
        int kind = random.nextInt(20);
        if (kind < 5) {
            schedule();
        } else if (kind < 9) {
            enqueue();
        } else if (kind < 14) {
            operate(kind);
        } else if (kind < 16) {
            list();
        } else {
            passTime(kind);
        }
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Name anyName() {
        String queue = random.nextBoolean() ? "" : any(TODO_QUEUES);
        return new Name(any(tenants), any(ids), queue);
    }

    private static TimerKey key(Name name) {
        return name.ofQueue().isEmpty()
                ? TimerKey.of(name.tenant(), name.id())
                : TimerKey.ofTodo(name.tenant(), name.ofQueue(), name.id());
    }

    private Instant soon() {
        return kit.now().plusSeconds(random.nextInt(8) - 1L);
    }

    private String payload() {
        return random.nextInt(6) == 0 ? KeyModel.FATAL : "p" + random.nextInt(3) + (number++ % 2 == 0 ? "" : ".");
    }

    private void schedule() {
        List<Timer> timers = new ArrayList<>();
        List<Said> expected = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Name name = new Name(any(tenants), any(ids), "");
            boolean recurs = random.nextInt(5) == 0;
            boolean expires = !recurs && random.nextInt(4) == 0;
            // A timer that is already too late is refused, which is not what this is about.
            Instant dueAt = recurs || expires ? kit.now().plusSeconds(3) : soon();
            String correlationId = random.nextBoolean() ? any(ids) : null;
            boolean rearm = random.nextInt(3) == 0;
            Content content = new Content(any(QUEUES), dueAt, payload(), expires, recurs, correlationId, null);
            timers.add(timer(name, content, rearm));
            expected.add(model.schedule(name, content, rearm));
        }
        compare("schedule " + timers.size(), expected, kit.scheduler().scheduleAll(timers));
    }

    private static Timer timer(Name name, Content content, boolean rearm) {
        Timer.Builder builder = content.recurs()
                ? Timer.recurring(key(name), Recurrence.every(Duration.ofDays(10_000)))
                : Timer.at(key(name), content.dueAt());
        builder.queue(content.queue()).payload(content.payload());
        if (content.expires()) {
            builder.validFor(KeyModel.VALID_FOR);
        }
        if (content.correlationId() != null) {
            builder.correlationId(content.correlationId());
        }
        return (rearm ? builder.rearm() : builder).build();
    }

    private void enqueue() {
        int at = random.nextInt(TODO_QUEUES.size());
        String queue = TODO_QUEUES.get(at);
        Name name = new Name(any(tenants), any(ids), queue);
        String correlationKey = random.nextInt(3) == 0 ? null : any(ids.subList(0, 2));
        Instant startAt = kit.now().plusSeconds(random.nextInt(8));
        Content content = new Content(queue, startAt, payload(), false, false, null, correlationKey);
        NewTodo todo = NewTodo.of(correlationKey == null ? FIRST : COUNTED, content.payload())
                .key(TimerKey.of(name.tenant(), name.id()))
                .startAt(startAt);
        if (correlationKey != null) {
            todo = todo.correlationKey(correlationKey);
        }
        boolean rearm = random.nextInt(3) == 0;
        Said expected = model.schedule(name, content, rearm);
        ScheduleResult result = todos.get(at).enqueue(rearm ? todo.rearm() : todo);
        compare("enqueue", List.of(expected), List.of(result));
    }

    private void compare(String what, List<Said> expected, List<ScheduleResult> results) {
        note(what, expected);
        for (int i = 0; i < expected.size(); i++) {
            Said said = expected.get(i);
            assertThat(results.get(i).outcome()).as(this::history).isEqualTo(said.outcome());
            assertThat(results.get(i).key()).as(this::history).isEqualTo(key(said.name()));
            if (said.outcome() != ScheduleOutcome.IGNORED) {
                assertThat(results.get(i).state()).as(this::history).isEqualTo(TimerState.SCHEDULED);
            }
        }
    }

    private void operate(int kind) {
        Scheduler scheduler = kit.scheduler();
        Name name = anyName();
        TimerKey key = key(name);
        Instant now = kit.now();
        switch (kind) {
            case 9 -> {
                CancelResult expected = model.cancel(name);
                same("cancel " + name, expected, scheduler.cancel(key));
            }
            case 10 ->
                same(
                        "deliverNow " + name,
                        model.deliverNow(name, now),
                        scheduler.admin().deliverNow(key));
            case 11 -> {
                Instant dueAt = soon();
                if (model.mayReschedule(name, dueAt)) {
                    same(
                            "move " + name,
                            model.reschedule(name, dueAt),
                            scheduler.admin().reschedule(key, dueAt));
                }
            }
            case 12 ->
                same(
                        "revive " + name,
                        model.revive(name, now),
                        scheduler.admin().revive(key));
            default -> operateOnMany(scheduler, now);
        }
    }

    private void operateOnMany(Scheduler scheduler, Instant now) {
        String tenant = any(tenants);
        String queue = any(random.nextBoolean() ? QUEUES : TODO_QUEUES);
        TimerQuery query =
                TimerQuery.all().allowScan().tenantId(tenant).queue(queue).limit(2);
        if (random.nextBoolean()) {
            String prefix = any(ids).substring(0, 1);
            if (!Character.isSurrogate(prefix.charAt(0))) {
                same(
                        "cancel all " + tenant + queue + prefix,
                        model.cancelAll(tenant, queue, prefix),
                        scheduler
                                .admin()
                                .cancel(query.state(TimerState.SCHEDULED).idPrefix(prefix)));
            }
        } else {
            boolean dead = random.nextBoolean();
            same(
                    "purge " + tenant + queue,
                    model.purge(tenant, queue, dead),
                    scheduler.admin().purge(dead ? query.state(TimerState.DEAD) : query, now.plusSeconds(1)));
        }
    }

    private void list() {
        int at = random.nextInt(lists.size());
        TodoList<String> list = lists.get(at);
        String id = any(ids);
        List<String> item = List.of(list.name(), id);
        if (random.nextInt(3) > 0) {
            Instant overdueAt = kit.now().plusSeconds(random.nextInt(100));
            items.put(item, overdueAt);
            list.add(id, overdueAt);
            note("add", item);
        } else {
            same("done " + item, items.remove(item) != null, list.done(id));
        }
    }

    private void passTime(int kind) {
        if (kind == 16 && random.nextInt(3) == 0) {
            note("forget", "");
            advance(Duration.ofSeconds(20), "");
            kit.advance(RETENTION.plusMinutes(5));
            model.forget();
        } else if (kind == 17) {
            String queue = any(random.nextBoolean() ? QUEUES : TODO_QUEUES);
            note("pause", queue);
            kit.scheduler().admin().pause(queue);
            advance(Duration.ofSeconds(random.nextInt(8)), queue);
            kit.scheduler().admin().resume(queue);
        } else {
            note("advance", "");
            advance(Duration.ofSeconds(random.nextInt(4)), "");
        }
    }

    /** Each second is passed alone, so that the model expires nothing that the engine delivers in time. */
    private void advance(Duration duration, String paused) {
        for (long i = 0; i < duration.toSeconds(); i++) {
            kit.advance(Duration.ofSeconds(1));
            model.pass(kit.now(), paused);
        }
    }

    private void same(String what, Object expected, Object actual) {
        note(what, expected);
        assertThat(actual).as(this::history).isEqualTo(expected);
    }

    private void note(String what, @Nullable Object expected) {
        steps.add(what + " -> " + expected);
    }

    private String history() {
        return String.join("\n", steps.subList(Math.max(0, steps.size() - 30), steps.size()));
    }

    /** Compares everything that is stored, in its order, and all deliveries. */
    private void compare() {
        List<StoredTimer> stored =
                kit.scheduler().query(TimerQuery.all().allowScan().limit(1_000));
        assertThat(stored.stream().map(KeyModel::nameOf).toList())
                .as(this::history)
                .isEqualTo(List.copyOf(model.rows().keySet()));
        for (StoredTimer each : stored) {
            Name name = KeyModel.nameOf(each);
            KeyModel.Row row = Objects.requireNonNull(model.rows().get(name));
            assertThat(each.key()).as(this::history).isEqualTo(key(name));
            assertThat(each.state()).as(() -> name + "\n" + history()).isEqualTo(row.state());
            assertThat(each.content().queue())
                    .as(this::history)
                    .isEqualTo(row.content().queue());
            assertThat(each.content().payload().as(String.class))
                    .as(this::history)
                    .isEqualTo(row.content().payload());
            assertThat(each.content().correlationId())
                    .as(this::history)
                    .isEqualTo(row.content().correlationId());
            if (!row.content().recurs()) {
                assertThat(each.dueAt())
                        .as(this::history)
                        .isEqualTo(row.content().dueAt());
            }
            assertThat(kit.scheduler().find(each.key())).as(this::history).contains(each);
        }
        assertThat(delivered).as(this::history).containsExactlyInAnyOrderElementsOf(model.delivered());
        for (TodoList<String> list : lists) {
            Instant now = kit.now();
            assertThat(new TreeSet<>(list.overdue(now).toList()))
                    .as(this::history)
                    .isEqualTo(new TreeSet<>(ids.stream()
                            .filter(id -> !items.getOrDefault(List.of(list.name(), id), Instant.MAX)
                                    .isAfter(now))
                            .toList()));
        }
    }

    @Override
    public void close() {
        kit.close();
    }
}
