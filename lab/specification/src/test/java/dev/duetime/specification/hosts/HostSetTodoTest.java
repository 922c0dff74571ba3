package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.hosts.HostSet;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of todo queues on several databases. */
class HostSetTodoTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HostsKit databases = new HostsKit();
    private final List<String> ran = new ArrayList<>();
    private final Set<String> running = new HashSet<>();
    private @Nullable NewTodo child;
    private @Nullable TimerKit kit;
    private TodoQueue queue = TodoQueue.builder("unused").build();

    private TimerKit kit(TodoMode mode, int nodes, String... hosts) {
        queue = queue(mode);
        TimerKit built = HostsKit.kit(databases.hosts(hosts), nodes, settings -> settings.todoQueue(queue));
        kit = built;
        built.advance(Duration.ofSeconds(30));
        return built;
    }

    private TodoQueue queue(TodoMode mode) {
        return TodoQueue.builder("work")
                .type("job", Integer.class, this::handle)
                .type("add", Integer.class, this::handle, type -> type.merge(Merge.collect(Integer::sum)))
                .mode(mode)
                .build();
    }

    private Outcome handle(Todo<Integer> todo, TodoRun run) {
        String key = todo.parallelKey();
        assertThat(key == null || running.add(key))
                .as("key " + key + " runs once")
                .isTrue();
        TimerKit through = kit;
        if (through != null) {
            through.clock().linger(Duration.ofMillis(7));
        }
        NewTodo next = child;
        if (next != null && todo.id().equals("parent")) {
            queue.enqueue(next, run);
        }
        ran.add(todo.id() + "=" + todo.payload());
        if (key != null) {
            running.remove(key);
        }
        return Outcome.complete();
    }

    private static NewTodo job(String id) {
        return NewTodo.of("job", 1).id(id);
    }

    private HostSet hosts(TimerKit of) {
        return (HostSet) of.scheduler().store();
    }

    private boolean has(String host, String id) {
        return databases.database(host).find(queue.key(id)).isPresent();
    }

    @Test
    void todosOfAKeyRunOneAtATimeOnOneHost() {
        TimerKit kit = kit(TodoMode.PARALLEL_BY_KEY, 2, "a", "b");
        for (int i = 0; i < 200; i++) {
            queue.enqueue(job("t-" + i).parallelKey("key-" + i % 10));
        }
        kit.advance(MINUTE);

        assertThat(ran).hasSize(200).doesNotHaveDuplicates();
        for (int i = 0; i < 200; i++) {
            String home = hosts(kit).hostOf("key-" + i % 10);
            assertThat(has(home, "t-" + i)).isTrue();
            assertThat(has(home.equals("a") ? "b" : "a", "t-" + i)).isFalse();
        }
    }

    @Test
    void aSequentialQueueLiesOnOneHost() {
        TimerKit kit = kit(TodoMode.SEQUENTIAL, 2, "a", "b", "c");
        for (int i = 0; i < 60; i++) {
            queue.enqueue(job("t-" + i).parallelKey("key-" + i % 10));
        }
        kit.advance(MINUTE);

        assertThat(ran).hasSize(60).doesNotHaveDuplicates();
        assertThat(List.of("a", "b", "c"))
                .filteredOn(
                        host -> databases.database(host).query(TimerQuery.all()).isEmpty())
                .hasSize(2);
    }

    @Test
    void aSequentialQueueOfSeveralShardsIsRefused() {
        kit(TodoMode.PARALLEL, 1, "a", "b");

        assertThatThrownBy(() -> kit(TodoMode.SEQUENTIAL, 1, "a", "b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("work")
                .hasMessageContaining("1 shard");
    }

    @Test
    void todosOfOneCorrelationKeyAreMergedWhateverTheirIds() {
        TimerKit kit = kit(TodoMode.PARALLEL, 2, "a", "b");
        for (int i = 0; i < 40; i++) {
            queue.enqueue(NewTodo.of("add", 1)
                    .id("t-" + i)
                    .correlationKey("post-" + i % 4)
                    .startAfter(MINUTE));
        }
        queue.enqueueAll(List.of(
                NewTodo.of("add", 1).id("u-0").correlationKey("post-0").startAfter(MINUTE),
                NewTodo.of("add", 1).id("u-1").correlationKey("post-1").startAfter(MINUTE),
                NewTodo.of("add", 1).id("u-2").correlationKey("post-2").startAfter(MINUTE),
                NewTodo.of("add", 1).id("u-3").correlationKey("post-3").startAfter(MINUTE)));
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactlyInAnyOrder("t-0=11", "t-1=11", "t-2=11", "t-3=11");
    }

    @Test
    void aTodoThatWaitsOnAFormerHomeIsMergedThere() {
        TimerKit before = kit(TodoMode.PARALLEL, 1, "a");
        queue.enqueue(NewTodo.of("add", 1).id("first").correlationKey("post").startAfter(MINUTE));
        before.close();
        String added = movedTo("post");
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "+" + added);
        assertThat(hosts(kit).hostOf("post")).isEqualTo(added);

        assertThat(queue.enqueue(NewTodo.of("add", 2)
                                .id("second")
                                .correlationKey("post")
                                .startAfter(MINUTE))
                        .outcome())
                .isEqualTo(ScheduleOutcome.MERGED);
        kit.advance(MINUTE.multipliedBy(2));
        assertThat(ran).containsExactly("first=3");
    }

    /** Returns the name of a host that, once added to "a", is the home of the key. */
    private String movedTo(String key) {
        for (char name = 'b'; name <= 'z'; name++) {
            String added = String.valueOf(name);
            if (databases.hosts("a", "+" + added).hostOf(key).equals(added)) {
                return added;
            }
        }
        throw new AssertionError("no name wins");
    }

    @Test
    void anIdIsEnqueuedOnceAlsoAfterAHostWasAdded() {
        kit(TodoMode.PARALLEL, 1, "a", "b").close();
        for (int i = 0; i < 100; i++) {
            queue.enqueue(job("t-" + i).startAfter(MINUTE));
        }
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b", "+c");
        for (int i = 0; i < 100; i++) {
            assertThat(queue.enqueue(job("t-" + i)).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        }
        kit.advance(MINUTE.multipliedBy(2));
        assertThat(ran).hasSize(100);
        assertThat(queue.enqueue(job("t-1")).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
    }

    @Test
    void aTodoThatAHandlerEnqueuesLiesOnTheHomeOfItsKeyAndRuns() {
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b");
        String onA = HostsKit.keysOn(hosts(kit), "a", 1).get(0);
        String onB = HostsKit.todosOn(hosts(kit), queue, "b", 1).get(0);
        child = job(onB);
        queue.enqueue(job("parent").shardingKey(onA));
        kit.advance(MINUTE);

        assertThat(ran).containsExactly("parent=1", onB + "=1");
        assertThat(has("b", onB)).isTrue();
    }

    @Test
    void aTodoOfTheSameShardingKeyCommitsWithTheOutcome() {
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b");
        String onA = HostsKit.keysOn(hosts(kit), "a", 1).get(0);
        child = job("child").shardingKey(onA).startAfter(MINUTE);
        databases.fail("a", StoreCall.COMMIT);
        queue.enqueue(job("parent").shardingKey(onA));
        kit.runDue();
        assertThat(ran).containsExactly("parent=1");
        assertThat(has("a", "child")).isFalse();
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("parent=1", "parent=1", "child=1");
    }

    @Test
    void aTodoOnAnotherHostStaysIfTheOutcomeFails() {
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b");
        String onA = HostsKit.keysOn(hosts(kit), "a", 1).get(0);
        String onB = HostsKit.todosOn(hosts(kit), queue, "b", 1).get(0);
        child = job(onB).startAfter(MINUTE);
        databases.fail("a", StoreCall.COMMIT);
        queue.enqueue(job("parent").shardingKey(onA));
        kit.runDue();
        assertThat(has("b", onB)).isTrue();
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("parent=1", "parent=1", onB + "=1");
    }

    @Test
    void aTodoOnAnotherHostIsStoredOnceThoughTheOutcomeCollides() {
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b");
        String onA = HostsKit.keysOn(hosts(kit), "a", 1).get(0);
        String onB = HostsKit.todosOn(hosts(kit), queue, "b", 1).get(0);
        child = job(onB).startAfter(MINUTE);
        queue.enqueue(job("parent").shardingKey(onA));
        int before = databases.calls("b", StoreCall.COMMIT);
        databases.collide("a", StoreCall.COMMIT);
        kit.runDue();
        assertThat(databases.calls("b", StoreCall.COMMIT)).isEqualTo(before + 1);
        kit.advance(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("parent=1", onB + "=1");
    }

    @Test
    void aTodoWhoseHostIsAwayRunsAgainWithoutAnAttempt() {
        TimerKit kit = kit(TodoMode.PARALLEL, 1, "a", "b");
        String onA = HostsKit.keysOn(hosts(kit), "a", 1).get(0);
        String onB = HostsKit.todosOn(hosts(kit), queue, "b", 1).get(0);
        child = job(onB);
        databases.down("b");
        queue.enqueue(job("parent").shardingKey(onA));
        kit.advance(MINUTE.multipliedBy(5));
        queue.enqueue(job("other").shardingKey(onA));
        kit.advance(Duration.ofMillis(100));
        assertThat(ran).contains("other=1");
        assertThat(databases.database("a").find(queue.key("parent")).orElseThrow())
                .satisfies(parent -> assertThat(parent.state()).isEqualTo(TimerState.SCHEDULED))
                .satisfies(parent -> assertThat(parent.attempt()).isZero());
        assertThat(kit.scheduler().admin().health().queues())
                .allSatisfy(
                        each -> assertThat(String.valueOf(each.storeOutage())).doesNotContain("host a"));
        databases.up("b");
        kit.advance(MINUTE);

        assertThat(ran).endsWith("parent=1", onB + "=1");
        assertThat(databases
                        .database("a")
                        .find(queue.key("parent"))
                        .orElseThrow()
                        .state())
                .isEqualTo(TimerState.REACHED);
    }

    @Test
    void aHandlerWritesInTheTransactionOfItsTodosHost() {
        List<Object> joined = new ArrayList<>();
        TodoQueue writing = TodoQueue.builder("writing")
                .type("write", Integer.class, (todo, run) -> {
                    joined.add(run.transaction(Transaction.class));
                    return Outcome.complete();
                })
                .build();
        TimerKit kit = HostsKit.kit(databases.hosts("a", "b"), 1, settings -> settings.todoQueue(writing));
        writing.enqueue(NewTodo.of("write", 1));
        kit.advance(MINUTE);

        assertThat(joined).singleElement().isInstanceOf(InMemoryTransaction.class);
        assertThatThrownBy(() -> hosts(kit).in(hosts(kit).on("a", new Transaction() {})))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
