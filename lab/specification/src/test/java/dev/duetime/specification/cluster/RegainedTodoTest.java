package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a node that gives shards to another node, and gets them back soon, while todos of them wait in memory. */
class RegainedTodoTest {
    private static final String STRANGER = "stranger";
    private static final Duration LEASE = Duration.ofMillis(200);
    private static final Duration STEP = Duration.ofMillis(5);
    private static final int SHARDS = 8;

    /** A todo that was read longer ago is read again in any case. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final List<String> ran = new ArrayList<>();
    private final List<String> ranElsewhere = new ArrayList<>();
    private Duration away = Duration.ZERO;
    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", String.class, (todo, run) -> {
                ran.add(todo.id());
                if (ran.size() == 1) {
                    moveShardsAndBack();
                }
                return Outcome.complete();
            })
            .mode(TodoMode.PARALLEL)
            .workers(1)
            .build();
    private final TimerKit kit = TimerKit.builder()
            .configure(
                    scheduler -> scheduler.shards(SHARDS).leaseDuration(LEASE).todoQueue(queue))
            .build();

    private long owned() {
        return leases().view("work").leases().stream()
                .map(Lease::owner)
                .filter(owner -> String.valueOf(owner).startsWith("node-0"))
                .count();
    }

    private ShardLeases leases() {
        return kit.store().leases();
    }

    /** While a todo runs, another node joins, runs the todos of the shards that it gets, and leaves. */
    private void moveShardsAndBack() {
        Instant from = kit.now();
        List<Integer> all = IntStream.range(0, SHARDS).boxed().toList();
        Set<Integer> got = Set.of();
        for (int i = 0; i < 200 && got.isEmpty(); i++) {
            got = leases().acquire("work", all, STRANGER, kit.now(), kit.now().plus(LEASE));
            kit.clock().linger(STEP);
        }
        List<StoredTimer> due =
                kit.store().due(new DueQuery("work", got, kit.now(), 1_000)).timers();
        due.forEach(each -> ranElsewhere.add(each.key().timerId()));
        kit.store()
                .settle(due.stream()
                        .<Settlement>map(each -> new Settlement.Deleted(each.key(), each.generation()))
                        .toList());
        leases().release("work", all, STRANGER);
        for (int i = 0; i < 200 && owned() < SHARDS; i++) {
            kit.clock().linger(STEP);
        }
        away = Duration.between(from, kit.now());
    }

    @Test
    void aNodeThatGetsAShardBackRunsNothingThatItReadBefore() {
        kit.advance(Duration.ofSeconds(30));
        queue.enqueueAll(IntStream.range(0, 64)
                .mapToObj(i -> NewTodo.of("job", "p").id("t" + i))
                .toList());
        kit.advance(Duration.ofMinutes(1));

        assertThat(away).isLessThan(FRESH);
        assertThat(owned()).isEqualTo(SHARDS);
        assertThat(ranElsewhere).isNotEmpty();
        assertThat(ran).doesNotContainAnyElementsOf(ranElsewhere).hasSize(64 - ranElsewhere.size());
    }
}
