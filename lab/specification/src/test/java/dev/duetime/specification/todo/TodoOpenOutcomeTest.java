package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of a todo whose shard moves to another node while its outcome is being written. */
class TodoOpenOutcomeTest {
    private final SlowSettle store = new SlowSettle();
    private final List<String> ran = new ArrayList<>();
    private final List<TodoQueue> queues = new ArrayList<>();
    private Runnable inOther = () -> {};
    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.todoQueue(queue()))
            .build();
    private final KitNode first = kit.node(0);

    private TodoQueue queue() {
        TodoQueue built = TodoQueue.builder("work")
                .type("job", String.class, this::handle)
                .build();
        queues.add(built);
        return built;
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        KitNode here = kit.nodes().stream()
                .filter(node -> node.clock().isRunningHere())
                .findFirst()
                .orElseThrow();
        ran.add("%s %s on %s".formatted(todo.id(), todo.step(), here.id()));
        if (here != first) {
            inOther.run();
        }
        return todo.step().equals("start") ? Outcome.next("two").with("of " + here.id()) : Outcome.complete();
    }

    private StoredTimer stored(String id) {
        return kit.store()
                .find(TimerKey.ofTodo(TimerKey.DEFAULT_TENANT, "work", id))
                .orElseThrow();
    }

    /** A store that runs a task instead of the first settle. */
    private static final class SlowSettle extends PassThroughStore {
        @Nullable
        Settling instead;

        interface Settling {
            int settle(List<Settlement> settlements);
        }

        SlowSettle() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public int settle(List<Settlement> settlements) {
            Settling once = instead;
            instead = null;
            return once == null ? super.settle(settlements) : once.settle(settlements);
        }
    }

    private List<Lease> leases() {
        return store.leases().view("work").leases();
    }

    private long held(KitNode node) {
        return leases().stream()
                .filter(lease -> String.valueOf(lease.owner()).startsWith(node.id()))
                .count();
    }

    @Test
    void aNodeKeepsAShardUntilItsOutcomesAreWritten() {
        int count = 40;
        List<Long> heldByTheOther = new ArrayList<>();
        store.instead = settlements -> {
            KitNode other = kit.addNode();
            kit.clock().linger(Duration.ofSeconds(20));
            heldByTheOther.add(held(other));
            return store.intact.settle(settlements);
        };
        queues.get(0)
                .enqueueAll(IntStream.range(0, count)
                        .mapToObj(i -> NewTodo.of("job", "p").id("t" + i))
                        .toList());
        kit.advance(Duration.ofMinutes(2));

        // With so many, each shard has an open outcome.
        assertThat(heldByTheOther).containsExactly(0L);
        assertThat(held(kit.node(1))).isEqualTo(leases().size() / 2);
        assertThat(ran).hasSize(2 * count).doesNotHaveDuplicates();
        assertThat(ran.stream().map(each -> each.replaceAll(" on .*", ""))).doesNotHaveDuplicates();
        assertThat(IntStream.range(0, count).mapToObj(i -> stored("t" + i).state()))
                .containsOnly(TimerState.REACHED);
    }

    /**
     * The first node stops for longer than its lease while it writes. The store executes the write at the end of that
     * time.
     */
    @Test
    void anOutcomeIsRefusedAfterAnotherNodeRanTheTodo() {
        List<Integer> written = new ArrayList<>();
        store.instead = settlements -> {
            kit.addNode();
            first.pause();
            kit.clock().linger(Duration.ofMinutes(1));
            first.resume();
            int settled = store.intact.settle(settlements);
            written.add(settled);
            return settled;
        };
        queues.get(0).enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(3));

        assertThat(written).containsExactly(0);
        assertThat(ran).containsExactly("a start on node-0", "a start on node-1", "a two on node-1");
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(payload()).contains("of node-1");
    }

    /**
     * The store executes the write while the second node runs the same step. Then the outcome of the second node is
     * refused.
     */
    @Test
    void theFirstOfTwoOutcomesCounts() {
        List<Integer> written = new ArrayList<>();
        store.instead = settlements -> {
            kit.addNode();
            inOther = () -> {
                inOther = () -> {};
                written.add(store.intact.settle(settlements));
            };
            first.pause();
            kit.clock().linger(Duration.ofMinutes(1));
            first.resume();
            return written.get(0);
        };
        queues.get(0).enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(3));

        assertThat(written).containsExactly(1);
        assertThat(ran).containsExactly("a start on node-0", "a start on node-1", "a two on node-1");
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
        assertThat(payload()).contains("of node-0");
    }

    private String payload() {
        return stored("a").content().payload().as(String.class);
    }

    @Test
    void anOutcomeIsRefusedAfterACancellationElsewhere() {
        store.instead = settlements -> {
            store.intact.cancel(TimerKey.ofTodo(TimerKey.DEFAULT_TENANT, "work", "a"), kit.now(), OptionalLong.empty());
            return store.intact.settle(settlements);
        };
        queues.get(0).enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(3));

        assertThat(ran).containsExactly("a start on node-0");
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
    }

    /** No other node has taken the shard over. So the outcome is written, and the same node runs the next step. */
    @Test
    void anOutcomeAfterTheLeaseCountsIfNoOtherNodeRanTheTodo() {
        store.instead = settlements -> {
            first.pause();
            kit.clock().linger(Duration.ofMinutes(1));
            first.resume();
            return store.intact.settle(settlements);
        };
        queues.get(0).enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(3));

        assertThat(ran).containsExactly("a start on node-0", "a two on node-0");
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }
}
