package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a todo of a tenant without a backlog does not wait for others' backlogs, however long they are. */
class TodoPresentTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A store that takes time for each todo that a statement passes over. */
    private static final class Slow extends PassThroughStore {
        @Nullable
        TestClock clock;

        Duration each = Duration.ZERO;

        Slow() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            if (clock != null && !each.isZero()) {
                Instant last = due.timers().isEmpty()
                        ? null
                        : due.timers().get(due.timers().size() - 1).wakeAt();
                Instant to = due.more() && last != null ? last : query.now();
                DueQuery all = new DueQuery(query.queue(), query.shards(), query.from(), to, 1_000_000);
                clock.linger(each.multipliedBy(super.due(all).timers().size()));
            }
            return due;
        }
    }

    private final Slow store = new Slow();
    private final Map<String, Instant> ranAt = new HashMap<>();
    private final List<String> ran = new ArrayList<>();
    private @Nullable TimerKit opened;

    private TodoQueue queue(int workers, Random random, int longest) {
        return TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    TimerKit kit = kit();
                    ranAt.put(todo.id(), kit.now());
                    ran.add(todo.id());
                    kit.clock().linger(Duration.ofMillis(longest == 0 ? 50 : random.nextInt(longest)));
                    return Outcome.complete();
                })
                .workers(workers)
                .build();
    }

    private TimerKit open(TodoQueue queue) {
        TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue).batchSize(50))
                .build();
        opened = kit;
        return kit;
    }

    private TimerKit kit() {
        assertThat(opened).isNotNull();
        return opened;
    }

    private static NewTodo todo(String tenant, String id) {
        return NewTodo.of("job", "p").key(TimerKey.of(tenant, id));
    }

    private void assertPrompt(TodoQueue queue, boolean hasKeys, Duration limit) {
        Map<String, Instant> enqueuedAt = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            NewTodo small = todo("small", "s" + i);
            queue.enqueue(hasKeys ? small.parallelKey("small-" + i % 2) : small);
            queue.enqueue(todo("big-0", "u" + i).priority(1));
            enqueuedAt.put("s" + i, kit().now());
            enqueuedAt.put("u" + i, kit().now());
            kit().advance(SECOND);
        }
        kit().advance(limit);

        assertThat(ran.stream().filter(each -> each.startsWith("b"))).isNotEmpty();
        assertThat(enqueuedAt)
                .allSatisfy((id, at) ->
                        assertThat(Duration.between(at, ranAt.get(id))).as(id).isLessThan(limit));
    }

    /** A statement that passes over the whole backlog takes 0.6 s. */
    @ParameterizedTest
    @CsvSource({"1, 12000, 5", "3, 4000, 5", "150, 80, 10"})
    void todosAreFoundBehindBacklogsThatTakeLongToPassOver(int tenants, int count, int seconds) {
        TodoQueue queue = queue(4, new Random(1), 0);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            for (int i = 0; i < count; i++) {
                for (int tenant = 0; tenant < tenants; tenant++) {
                    queue.enqueue(todo("big-" + tenant, "b" + tenant + "-" + i)
                            .startAt(kit.now().plusNanos(100_000L * i)));
                }
            }
            store.each = Duration.ofNanos(50_000);
            kit.advance(SECOND.multipliedBy(20));

            assertPrompt(queue, false, SECOND.multipliedBy(seconds));
        }
    }

    /** Nothing of the small tenant is due when the backlog begins. So its keys are in order. */
    @Test
    void todosWithParallelKeysAreFoundBehindABacklogThatTakesLongToPassOver() {
        TodoQueue queue = queue(4, new Random(1), 0);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.advance(SECOND);
            for (int i = 0; i < 12_000; i++) {
                queue.enqueue(todo("big-0", "b" + i).startAt(kit.now().plusNanos(100_000L * i)));
            }
            store.each = Duration.ofNanos(50_000);

            assertPrompt(queue, true, SECOND.multipliedBy(5));
        }
    }

    /** The todos of each tenant become due one after another, so that a read finds those of one tenant or two. */
    @ParameterizedTest
    @CsvSource({"20, 600, false", "100, 120, false", "20, 600, true", "100, 120, true"})
    void todosAreFoundBehindTheBacklogsOfTenantsOneAfterAnother(int tenants, int count, boolean isPaused) {
        TodoQueue queue = queue(4, new Random(1), 20);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.advance(SECOND);
            if (isPaused) {
                kit.scheduler().admin().pause("work");
            }
            for (int tenant = 0; tenant < tenants; tenant++) {
                for (int i = 0; i < count; i++) {
                    Instant startAt = kit.now().plusNanos(100_000L * (tenant * count + i));
                    queue.enqueue(todo("big-" + tenant, "b" + tenant + "-" + i).startAt(startAt));
                }
            }
            store.each = Duration.ofNanos(20_000);
            if (isPaused) {
                kit.advance(SECOND.multipliedBy(2));
                kit.scheduler().admin().resume("work");
            }

            for (boolean hasKeys : List.of(false, true)) {
                assertSmallArePrompt(queue, hasKeys, SECOND.multipliedBy(2));
            }
        }
    }

    /** They lie behind the backlogs of others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void todosThatWereDueShortlyBeforeANodeGotTheirShardsAreFoundSoon(boolean hasKeys) {
        TodoQueue enqueues = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> Outcome.complete())
                .enqueuesOnly()
                .build();
        try (TimerKit kit = TimerKit.builder().store(store).build()) {
            opened = kit;
            store.clock = kit.clock();
            kit.addNode(scheduler -> scheduler.todoQueue(enqueues).batchSize(50));
            for (int tenant = 0; tenant < 60; tenant++) {
                for (int i = 0; i < 200; i++) {
                    enqueues.enqueue(todo("big-" + tenant, "b" + tenant + "-" + i)
                            .startAt(kit.now().plusNanos(100_000L * (tenant * 200 + i))));
                }
            }
            store.each = Duration.ofNanos(20_000);
            for (int i = 0; i < 50; i++) {
                NewTodo small = todo("small-" + i % 5, "s" + i);
                enqueues.enqueue(hasKeys ? small.parallelKey("small-" + i % 5) : small);
                kit.advance(Duration.ofMillis(100));
            }
            kit.addNode(scheduler ->
                    scheduler.todoQueue(queue(4, new Random(1), 20)).batchSize(50));
            kit.advance(SECOND.multipliedBy(3));

            assertThat(ran.stream().filter(each -> each.startsWith("s"))).hasSizeGreaterThan(40);
        }
    }

    private void assertSmallArePrompt(TodoQueue queue, boolean hasKeys, Duration limit) {
        Map<String, Instant> enqueuedAt = new HashMap<>();
        String tenant = hasKeys ? "small-with-keys" : "small";
        for (int i = 0; i < 40; i++) {
            NewTodo small = todo(tenant, "s" + hasKeys + i);
            queue.enqueue(hasKeys ? small.parallelKey("small-" + i % 2) : small);
            enqueuedAt.put("s" + hasKeys + i, kit().now());
            kit().advance(Duration.ofMillis(200));
        }
        kit().advance(limit);
        assertThat(enqueuedAt)
                .allSatisfy((id, at) ->
                        assertThat(Duration.between(at, ranAt.get(id))).as(id).isLessThan(limit));
    }

    /** A look for the key of the small tenant finds the urgent one, and leaves out the one before it. */
    @Test
    void anUrgentTodoDoesNotOvertakeOneOfItsTenantBecauseAnotherTenantSharesItsKey() {
        TodoQueue queue = queue(4, new Random(1), 20);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.scheduler().admin().pause("work");
            for (int i = 0; i < 4_000; i++) {
                queue.enqueue(todo("big-0", "b" + i).startAt(kit.now().plusNanos(100_000L * i)));
            }
            NewTodo ofKey = todo("big-0", "first").parallelKey("key");
            queue.enqueue(ofKey.startAt(kit.now().plusMillis(500)));
            queue.enqueue(todo("big-0", "urgent")
                    .parallelKey("key")
                    .priority(1)
                    .startAt(kit.now().plusMillis(1_500)));
            NewTodo small = todo("small", "small").parallelKey("key");
            queue.enqueue(small.startAt(kit.now().plusMillis(1_501)));
            kit.advance(SECOND);
            store.each = Duration.ofNanos(20_000);
            kit.scheduler().admin().resume("work");
            kit.advance(Duration.ofMinutes(2));

            assertThat(ran).hasSize(4_003).containsSubsequence("small", "first", "urgent");
        }
    }

    /** The second one has just become due, and nobody knows yet that the first one waits behind the backlog. */
    @Test
    void aTodoDoesNotOvertakeOneOfItsParallelKeyThatWasNotSeenYet() {
        TodoQueue queue = queue(4, new Random(1), 0);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.scheduler().admin().pause("work");
            for (int i = 0; i < 4_000; i++) {
                queue.enqueue(todo("big-0", "b" + i).startAt(kit.now().plusNanos(100_000L * i)));
            }
            queue.enqueue(
                    todo("small", "first").parallelKey("key").startAt(kit.now().plusMillis(200)));
            kit.advance(SECOND);
            queue.enqueue(todo("small", "second").parallelKey("key"));
            store.each = Duration.ofNanos(50_000);
            kit.scheduler().admin().resume("work");
            kit.advance(SECOND.multipliedBy(20));

            assertThat(ran).doesNotContain("b3999").containsSubsequence("first", "second");
        }
    }

    /** The looks have passed the start date of the first one before it was enqueued. */
    @Test
    void aTodoWithAnEarlierStartDateIsNotOvertaken() {
        TodoQueue queue = queue(4, new Random(1), 20);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.advance(SECOND);
            for (int i = 0; i < 6_000; i++) {
                queue.enqueue(todo("big-0", "b" + i).startAt(kit.now().plusNanos(100_000L * i)));
            }
            store.each = Duration.ofNanos(50_000);
            kit.advance(SECOND.multipliedBy(5));
            for (int i = 0; i < 40; i++) {
                Instant earlier = kit.now().minus(Duration.ofMinutes(1));
                queue.enqueue(todo("small", "first-" + i).parallelKey("k" + i).startAt(earlier));
                queue.enqueue(todo("small", "second-" + i).parallelKey("k" + i));
                kit.advance(Duration.ofMillis(100));
            }
            kit.advance(Duration.ofMinutes(10));

            for (int i = 0; i < 40; i++) {
                assertThat(ran).containsSubsequence("first-" + i, "second-" + i);
            }
        }
    }

    /** More becomes due than runs, of more tenants than a statement can leave out. */
    @Test
    void todosOfVeryManyTenantsKeepTheirOrder() {
        Random random = new Random(1);
        TodoQueue queue = queue(16, random, 80);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.advance(SECOND);
            for (int i = 0; i < 8_000; i++) {
                queue.enqueue(todo("big-0", "b" + i).startAt(kit.now().plusNanos(50_000L * i)));
            }
            store.each = Duration.ofNanos(5_000);
            kit.advance(SECOND.multipliedBy(3));
            for (int i = 0; i < 10_000; i++) {
                String tenant = "t" + random.nextInt(3_000);
                queue.enqueue(todo(tenant, tenant + "#" + i).parallelKey(tenant));
                kit.advance(Duration.ofMillis(i % 300 == 0 ? 100 : 0));
            }
            kit.advance(Duration.ofMinutes(10));

            assertThat(ran).hasSize(18_000);
            assertInOrder(ran.stream().filter(id -> id.startsWith("t")).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6, 8, 10, 11})
    void todosOfOneParallelKeyRunInTheirOrderWithinATenant(long seed) {
        Random random = new Random(seed);
        TodoQueue queue = queue(4, random, List.of(10, 100, 1_500).get(random.nextInt(3)));
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.scheduler().admin().pause("work");
            for (int i = 0; i < 1_500; i++) {
                queue.enqueue(withKey(i, random).startAt(kit.now().plusNanos(1_000L * i)));
            }
            kit.advance(SECOND);
            kit.scheduler().admin().resume("work");
            store.each = Duration.ofNanos(random.nextInt(100_000));
            for (int i = 1_500; i < 2_000; i++) {
                queue.enqueue(withKey(i, random));
                kit.advance(Duration.ofMillis(random.nextInt(100)));
            }
            kit.advance(Duration.ofMinutes(20));

            assertThat(ran).hasSize(2_000);
            assertInOrder(ran);
        }
    }

    private int lastOf(String prefix) {
        return IntStream.range(0, ran.size())
                .filter(i -> ran.get(i).startsWith(prefix))
                .max()
                .orElse(-1);
    }

    /** A look finds some of the urgent todos. While these wait for workers, the others are left out of looks. */
    @Test
    void urgentTodosThatWereDueBeforeTheBacklogWasSeenAreFoundSoonAfterEachOther() {
        TodoQueue queue = queue(4, new Random(1), 400);
        try (TimerKit kit = open(queue)) {
            store.clock = kit.clock();
            kit.scheduler().admin().pause("work");
            for (int i = 0; i < 12_000; i++) {
                queue.enqueue(todo("big-0", "b" + i));
            }
            for (int i = 0; i < 200; i++) {
                queue.enqueue(
                        todo("big-0", "u" + i).priority(1).startAt(kit.now().plusMillis(500)));
            }
            kit.advance(SECOND);
            store.each = Duration.ofNanos(50_000);
            kit.scheduler().admin().resume("work");
            kit.advance(SECOND.multipliedBy(120));

            List<String> untilAllUrgentRan = ran.subList(0, lastOf("u") + 1);
            assertThat(untilAllUrgentRan.stream().filter(each -> each.startsWith("u")))
                    .hasSize(200);
            assertThat(untilAllUrgentRan).hasSizeLessThan(700);
        }
    }

    private static void assertInOrder(List<String> ids) {
        Map<String, List<Integer>> byKey = new HashMap<>();
        ids.forEach(id -> byKey.computeIfAbsent(id.split("#", -1)[0], key -> new ArrayList<>())
                .add(Integer.valueOf(id.split("#", -1)[1])));
        assertThat(byKey).allSatisfy((key, order) -> assertThat(order).as(key).isSorted());
    }

    private static NewTodo withKey(int i, Random random) {
        boolean isBig = random.nextInt(8) > 0;
        String tenant = isBig ? "big-" + random.nextInt(2) : "small-" + random.nextInt(3);
        String key = tenant + "-" + random.nextInt(isBig ? 200 : 10);
        int priority = random.nextInt(10) == 0 ? 1 : 0;
        return todo(tenant, key + "#" + i).priority(priority).parallelKey(key);
    }
}
