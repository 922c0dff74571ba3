package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a sequential queue belongs to one node at a time, also if a node that only enqueues, and names no mode,
 * has created it with many shards.
 */
class SequentialShardsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> ended = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder().build();
    private final TodoQueue enqueues =
            builder().mode(TodoMode.PARALLEL_BY_KEY).enqueuesOnly().build();
    private int running;
    private int most;

    private TodoQueue.Builder builder() {
        return TodoQueue.builder("work").type("job", String.class, this::handle).workers(4);
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        most = Math.max(most, ++running);
        kit.clock().linger(Duration.ofMillis(10));
        ended.add(todo.id());
        running--;
        return Outcome.complete();
    }

    private KitNode addNode(TodoMode mode) {
        return kit.addNode(scheduler -> scheduler.todoQueue(builder().mode(mode).build()));
    }

    private void createQueue() {
        kit.addNode(scheduler -> scheduler.todoQueue(enqueues));
        enqueues.enqueue(NewTodo.of("job", "p").id("first"));
        assertThat(leases().view("work").leases()).hasSizeGreaterThan(1);
    }

    private void createQueueAndNodes() {
        createQueue();
        for (int i = 0; i < 3; i++) {
            addNode(TodoMode.SEQUENTIAL);
        }
        kit.advance(LONG);
        assertThat(ended).containsExactly("first");
    }

    private ShardLeases leases() {
        return kit.store().leases();
    }

    private Set<String> owners() {
        return leases().view("work").leases().stream()
                .map(lease -> String.valueOf(lease.owner()))
                .collect(Collectors.toSet());
    }

    private KitNode owner() {
        String owner = owners().iterator().next();
        return kit.nodes().stream()
                .filter(each -> owner.startsWith(each.id()))
                .findFirst()
                .orElseThrow();
    }

    /** Enqueues todos, the last one first. Returns their ids in order of start date. */
    private List<String> enqueue(int count) {
        List<String> ids =
                IntStream.range(0, count).mapToObj("t%03d"::formatted).toList();
        for (int i = count - 1; i >= 0; i--) {
            enqueues.enqueue(NewTodo.of("job", "p")
                    .id(ids.get(i))
                    .startAt(kit.now().plusMillis(1000 + i))
                    .priority(-i));
        }
        return ids;
    }

    private void assertRanInOrder(List<String> ids) {
        assertThat(ended.subList(1, ended.size())).isEqualTo(ids);
        assertThat(most).isEqualTo(1);
        assertThat(owners()).hasSize(1);
    }

    @Test
    void todosRunOneAtATimeInOrder() {
        createQueueAndNodes();
        List<String> ids = enqueue(900);
        kit.advance(LONG);

        assertRanInOrder(ids);
    }

    @Test
    void allShardsMoveToAnotherNodeAfterACrash() {
        createQueueAndNodes();
        KitNode crashed = owner();
        crashed.crash();
        List<String> ids = enqueue(100);
        kit.advance(LONG);

        assertThat(owner()).isNotSameAs(crashed);
        assertRanInOrder(ids);
    }

    @Test
    void allShardsMoveToAnotherNodeWhileTodosAreDue() {
        createQueueAndNodes();
        List<String> ids = enqueue(900);
        kit.advance(Duration.ofSeconds(3));
        assertThat(ended).hasSizeBetween(2, 800);
        owner().close();
        kit.advance(LONG);

        assertRanInOrder(ids);
    }

    @Test
    void nothingRunsWhileAnotherNodeHoldsAShard() {
        createQueueAndNodes();
        Set<Integer> shard = Set.of(3);
        leases().release("work", shard, owners().iterator().next());
        leases().acquire("work", shard, "another", kit.now(), kit.now().plusSeconds(30));
        kit.advance(Duration.ofSeconds(10));
        List<String> ids = enqueue(100);
        kit.advance(Duration.ofSeconds(19));
        assertThat(ended).containsExactly("first");
        assertThat(owners()).hasSize(2);

        kit.advance(LONG);
        assertRanInOrder(ids);
    }

    /** Otherwise the part that the sequential node holds would never be read. */
    @Test
    void aNodeWithAPartLeavesTheQueueToNodesThatDivideIt() {
        createQueue();
        KitNode sequential = addNode(TodoMode.SEQUENTIAL);
        KitNode parallel = addNode(TodoMode.PARALLEL);
        kit.advance(Duration.ofMinutes(3));
        enqueue(200);
        kit.advance(LONG);
        assertThat(ended).hasSize(201);
        assertThat(owners()).hasSize(1);

        if (owner() == parallel) {
            parallel.close();
            kit.advance(LONG);
        }
        assertThat(owner()).isSameAs(sequential);
    }
}
