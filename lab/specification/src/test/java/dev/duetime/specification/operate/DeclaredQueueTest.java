package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rule that a node which only declares a queue leaves its number of shards to the nodes that serve it. */
class DeclaredQueueTest {
    private final TestClock clock = new TestClock();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(clock);

    private static TodoQueue.Builder sequential() {
        return TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> Outcome.complete())
                .mode(TodoMode.SEQUENTIAL);
    }

    private Scheduler enqueuing(TodoQueue queue) {
        return Scheduler.builder().store(store).clock(clock).todoQueue(queue).build();
    }

    private int shards(String queue) {
        return store.leases().view(queue).leases().size();
    }

    @Test
    void anEnqueuingNodeThatStartsFirstGivesASequentialQueueOneShard() {
        TodoQueue enqueues = sequential().enqueuesOnly().build();
        enqueuing(enqueues).start();
        enqueues.enqueue(NewTodo.of("job", "x").id("first"));
        assertThat(shards("work")).isEqualTo(1);

        Scheduler serving = enqueuing(sequential().build());
        serving.start();
        clock.advance(Duration.ofSeconds(30));

        assertThat(store.find(TimerKey.ofTodo("default", "work", "first"))
                        .orElseThrow()
                        .state())
                .isEqualTo(TimerState.REACHED);
        serving.close();
    }

    @Test
    void aNodeThatMerelyDeclaresAQueueCreatesNothing() {
        Scheduler declares = Scheduler.builder()
                .store(store)
                .clock(clock)
                .queue("work", queue -> {})
                .build();
        declares.start();
        assertThat(shards("work")).isZero();

        Scheduler serving = enqueuing(sequential().build());
        declares.schedule(
                Timer.after("later", Duration.ofHours(1)).queue("work").build());

        assertThat(shards("work")).isEqualTo(1);
        assertThat(store.find(TimerKey.of("later")).orElseThrow().shard()).isZero();
        serving.close();
        declares.close();
    }

    @Test
    void aNodeThatDeclaresAQueueWithANumberOfShardsCreatesNothingEither() {
        Scheduler tool = Scheduler.builder()
                .store(store)
                .clock(clock)
                .shards(3)
                .queue("work", queue -> queue.shards(7))
                .todoQueue(TodoQueue.builder("todos")
                        .type("job", String.class, (todo, run) -> Outcome.complete())
                        .enqueuesOnly()
                        .mode(TodoMode.SEQUENTIAL)
                        .build())
                .build();
        tool.start();
        clock.advance(Duration.ofMinutes(2));
        tool.admin().queues();
        tool.admin().health();
        tool.close();

        assertThat(shards("default")).isZero();
        assertThat(shards("work")).isZero();
        assertThat(shards("todos")).isZero();
    }

    @Test
    void theFirstScheduleCreatesAnUnservedQueue() {
        Scheduler declares = Scheduler.builder()
                .store(store)
                .clock(clock)
                .queue("work", queue -> {})
                .build();
        declares.schedule(
                Timer.after("later", Duration.ofHours(1)).queue("work").build());

        assertThat(shards("work")).isPositive();
        assertThat(store.find(TimerKey.of("later"))).isPresent();
    }
}
