package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a timer that is due within the poll interval lies in a shard of the node that scheduled it. */
class NearPlacementTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration POLL = ShardsTest.POLL;

    private final TimerKit kit = settled(ShardsTest.kit(3, 16));

    private static TimerKit settled(TimerKit kit) {
        kit.advance(ShardsTest.SETTLED.multipliedBy(2));
        return kit;
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private Set<Integer> shardsOf(KitNode node) {
        return kit.store().leases().view("default").leases().stream()
                .filter(lease -> Objects.requireNonNull(lease.owner()).startsWith(node.id() + "-"))
                .map(Lease::shard)
                .collect(Collectors.toSet());
    }

    private static List<Timer> timers(int count, Duration delay, UnaryOperator<Timer.Builder> more) {
        return IntStream.range(0, count)
                .mapToObj(i -> more.apply(Timer.after("t-" + i, delay)).build())
                .toList();
    }

    private Set<Integer> scheduled(KitNode node, List<Timer> timers) {
        node.scheduler().scheduleAll(timers);
        return timers.stream().map(each -> find(each.key()).shard()).collect(Collectors.toSet());
    }

    private StoredTimer find(TimerKey key) {
        return kit.store().find(key).orElseThrow();
    }

    private Map<String, Instant> reachedAt() {
        Map<String, Instant> reached = new TreeMap<>();
        kit.delivered()
                .forEach(each -> reached.put(each.key().timerId(), each.event().reachedAt()));
        return reached;
    }

    @Test
    void itIsDeliveredWhenItIsDueWithoutAHint() {
        for (KitNode node : kit.nodes()) {
            node.storeDown(call -> call == StoreCall.SEND_HINTS || call == StoreCall.READ_HINTS);
        }
        Instant due = kit.now().plus(SECOND);
        kit.node(1).scheduler().scheduleAll(timers(100, SECOND, each -> each));
        kit.advance(SECOND);

        assertThat(reachedAt())
                .hasSize(100)
                .allSatisfy((id, at) -> assertThat(at).isEqualTo(due));
    }

    @Test
    void itsTimersAreSpreadOverAllShardsOfTheNode() {
        KitNode node = kit.node(2);

        assertThat(scheduled(node, timers(200, SECOND, each -> each))).isEqualTo(shardsOf(node));
    }

    @Test
    void aTimerDueLaterIsPlacedByItsHash() {
        assertThat(scheduled(kit.node(2), timers(200, POLL, each -> each))).hasSize(16);
    }

    @Test
    void aTimerWithAKeyOrARecurrenceIsPlacedByIt() {
        KitNode node = kit.node(2);
        Set<Integer> sharded = scheduled(node, timers(1, SECOND, each -> each.shardingKey("k")));
        Set<Integer> parallel = scheduled(node, timers(1, SECOND, each -> each.parallelKey("k")));
        Set<Integer> fromElsewhere = scheduled(kit.node(0), timers(1, SECOND, each -> each.parallelKey("k")));

        assertThat(sharded).isEqualTo(parallel).isEqualTo(fromElsewhere);
        Set<Integer> recurring = IntStream.range(0, 200)
                .mapToObj(
                        i -> Timer.recurring("r-" + i, Recurrence.every(SECOND)).build())
                .peek(node.scheduler()::schedule)
                .map(each -> find(each.key()).shard())
                .collect(Collectors.toSet());
        assertThat(recurring).hasSize(16);
    }

    @Test
    void aRescheduleMovesItNearItsNewScheduler() {
        scheduled(kit.node(0), timers(50, SECOND, each -> each));

        assertThat(scheduled(kit.node(1), timers(50, SECOND.multipliedBy(2), each -> each)))
                .isSubsetOf(shardsOf(kit.node(1)));
        kit.advance(SECOND.multipliedBy(2));
        assertThat(kit).hasDeliveredCount(50);
    }

    @Test
    void aNodeThatIsBehindPlacesByHash() {
        kit.publisher().failAlways();
        kit.node(1).scheduler().scheduleAll(timers(1, Duration.ZERO, each -> each));
        kit.advance(SECOND.multipliedBy(3));

        assertThat(scheduled(kit.node(1), timers(200, SECOND, each -> each))).hasSize(16);
    }

    @Test
    void aShardThatIsGivenAwayInBetweenLosesAndDelaysNothing() {
        kit.addNode();
        Instant last = kit.now();
        for (int i = 0; i < 300; i++) {
            KitNode node = kit.node(i % 4);
            last = kit.now().plus(SECOND);
            node.scheduler().schedule(Timer.at("m-" + i, last).build());
            kit.advance(Duration.ofMillis(100));
        }
        kit.advance(SECOND.multipliedBy(2));

        assertThat(kit).hasDeliveredCount(300);
        assertThat(kit.delivered())
                .allSatisfy(each -> assertThat(each.event().reachedAt())
                        .isBeforeOrEqualTo(each.event().dueAt().plus(Duration.ofMillis(600))));
    }

    /** If it moved, one id that is cancelled and enqueued again could run on two nodes at once. */
    @Test
    void aTodoIsPlacedByItsHash() {
        List<TodoQueue> queues = new ArrayList<>();
        try (TimerKit todos = settled(TimerKit.builder()
                .nodes(3)
                .configure(scheduler -> {
                    queues.add(TodoQueue.builder("work")
                            .type("job", String.class, (todo, run) -> Outcome.complete())
                            .build());
                    scheduler.shards(16).todoQueue(queues.get(queues.size() - 1));
                })
                .build())) {
            queues.get(2)
                    .enqueueAll(IntStream.range(0, 200)
                            .mapToObj(
                                    i -> NewTodo.of("job", "p").id("todo-" + i).startAfter(SECOND))
                            .toList());

            assertThat(todos.store().query(TimerQuery.all().queue("work").limit(1_000)))
                    .extracting(StoredTimer::shard)
                    .containsOnly(IntStream.range(0, 16).boxed().toArray(Integer[]::new));
        }
    }
}
