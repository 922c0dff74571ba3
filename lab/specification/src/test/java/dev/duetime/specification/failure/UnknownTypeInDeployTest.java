package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.Envelope;
import dev.duetime.RateLimit;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.UnknownTypeException;
import dev.duetime.handlers.Handlers;
import dev.duetime.specification.LogLines;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of what a type that only a newer node knows takes from others meanwhile: order, permits, merges, time. */
class UnknownTypeInDeployTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String QUEUE = "work";

    private final List<String> ran = new ArrayList<>();

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.unknownTypesFor(HOUR).queue(QUEUE, queue -> queue.shards(1)))
            .build();

    private TodoQueue old(UnaryOperator<TodoQueue.Builder> settings) {
        return settings.apply(TodoQueue.builder(QUEUE).type("known", Integer.class, (todo, run) -> {
                    ran.add(todo.id());
                    return Outcome.complete();
                }))
                .build();
    }

    private TodoQueue newer(UnaryOperator<TodoQueue.Builder> settings) {
        return settings.apply(TodoQueue.builder(QUEUE)
                        .type("known", Integer.class, (todo, run) -> Outcome.complete())
                        .type(
                                "new",
                                Integer.class,
                                (todo, run) -> {
                                    ran.add(todo.id() + "=" + todo.payload());
                                    return Outcome.complete();
                                },
                                type -> type.merge(Merge.collect(Integer::sum))))
                .build();
    }

    /** A node that knows the new type, and only enqueues. */
    private TodoQueue enqueuing() {
        TodoQueue queue = newer(TodoQueue.Builder::enqueuesOnly);
        kit.addNode(scheduler -> scheduler.todoQueue(queue));
        return queue;
    }

    private KitNode deliver(TodoQueue queue) {
        KitNode node = kit.addNode(scheduler -> scheduler.todoQueue(queue));
        kit.advance(MINUTE);
        return node;
    }

    private void handle(UnaryOperator<Handlers.Builder> more, @Nullable RateLimit limit) {
        Handlers handlers = more.apply(Handlers.builder()
                        .queue(QUEUE)
                        .on("known", envelope -> ran.add(envelope.key().timerId())))
                .build();
        kit.addNode(scheduler -> {
            scheduler.extension(handlers);
            if (limit != null) {
                scheduler.queue(QUEUE, queue -> queue.rateLimit(limit));
            }
        });
        kit.advance(MINUTE);
    }

    private StoredTimer stored(TimerKey key) {
        return kit.store().find(key).orElseThrow();
    }

    private TimerKey schedule(String id, String type, Instant dueAt) {
        Timer timer =
                Timer.at(id, dueAt).queue(QUEUE).type(type).parallelKey("k").build();
        kit.scheduler().schedule(timer);
        return timer.key();
    }

    @Test
    void waitingTodosTakeNoPermits() {
        TodoQueue queue = enqueuing();
        deliver(old(builder -> builder.rateLimit(RateLimit.of(10, MINUTE)).concurrencyLimit(1)));
        for (int i = 0; i < 100; i++) {
            queue.enqueue(NewTodo.of("new", i).id("new-" + i).correlationKey("k-" + i));
        }
        kit.advance(SECOND);
        for (int i = 0; i < 8; i++) {
            queue.enqueue(NewTodo.of("known", i).id("known-" + i));
        }
        kit.advance(SECOND);

        assertThat(ran).hasSize(8);
        assertThat(stored(queue.key("new-7")).attempt()).isZero();
    }

    @Test
    void waitingTimersOfHandlersTakeNoPermits() {
        handle(builder -> builder, RateLimit.of(10, MINUTE));
        for (int i = 0; i < 100; i++) {
            kit.scheduler()
                    .schedule(Timer.at("new-" + i, kit.now())
                            .queue(QUEUE)
                            .type("new")
                            .build());
        }
        kit.advance(SECOND);
        for (int i = 0; i < 8; i++) {
            kit.scheduler()
                    .schedule(Timer.at("known-" + i, kit.now())
                            .queue(QUEUE)
                            .type("known")
                            .build());
        }
        kit.advance(SECOND);

        assertThat(ran).hasSize(8);
        assertThat(stored(TimerKey.of("new-7")).attempt()).isZero();
    }

    /** Each of them is due again a second later, before all others were read. */
    @Test
    void aBacklogOfThemDoesNotHoldUpOthers() {
        SlowStore slow = new SlowStore();
        Handlers handlers = Handlers.builder()
                .on("known", envelope -> ran.add(envelope.key().timerId()))
                .build();
        TimerKit own = TimerKit.builder()
                .store(slow)
                .configure(scheduler -> scheduler.shards(1).batchSize(50).extension(handlers))
                .build();
        slow.onSettle = () -> own.clock().linger(Duration.ofMillis(100));
        own.scheduler()
                .scheduleAll(IntStream.range(0, 8_000)
                        .mapToObj(
                                i -> Timer.at("new-" + i, own.now()).type("new").build())
                        .toList());
        own.advance(SECOND.multipliedBy(3));
        own.scheduler()
                .schedule(Timer.at(TimerKey.of("other", "a"), own.now())
                        .type("known")
                        .build());
        own.advance(SECOND.multipliedBy(3));

        assertThat(ran).containsExactly("a");
    }

    /** A store in which each write of outcomes takes a while. */
    private static final class SlowStore extends PassThroughStore {
        private Runnable onSettle = () -> {};

        SlowStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public int settle(List<Settlement> settlements) {
            onSettle.run();
            return super.settle(settlements);
        }
    }

    @Test
    void aTodoThatWaitsDoesNotHoldUpItsParallelKey() {
        TodoQueue queue = enqueuing();
        KitNode before = deliver(old(builder -> builder));
        queue.enqueue(NewTodo.of("new", 1).id("head").parallelKey("k"));
        queue.enqueue(NewTodo.of("known", 1).id("behind").parallelKey("k"));
        kit.advance(SECOND);
        assertThat(ran).containsExactly("behind");

        deliver(newer(builder -> builder));
        before.close();
        kit.advance(MINUTE);
        assertThat(ran).containsExactly("behind", "head=1");
    }

    @Test
    void aTimerThatWaitsDoesNotHoldUpItsParallelKey() {
        handle(builder -> builder, null);
        TimerKey head = schedule("head", "new", kit.now());
        schedule("behind", "known", kit.now().plusMillis(1));
        kit.advance(SECOND);

        assertThat(ran).containsExactly("behind");
        assertThat(stored(head).state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void othersAreMergedIntoATodoThatWaits() {
        TodoQueue queue = enqueuing();
        KitNode before = deliver(old(builder -> builder));
        queue.enqueue(NewTodo.of("new", 1).id("a").correlationKey("k"));
        kit.advance(MINUTE);
        queue.enqueue(NewTodo.of("new", 2).id("b").correlationKey("k"));
        kit.advance(MINUTE);

        deliver(newer(builder -> builder));
        before.close();
        kit.advance(MINUTE);
        assertThat(ran).containsExactly("a=3");
    }

    @Test
    void aPauseDoesNotCountAsWaiting() {
        handle(builder -> builder, null);
        TimerKey key = schedule("a", "new", kit.now());
        kit.advance(MINUTE);
        kit.scheduler().admin().pause(QUEUE);
        kit.advance(HOUR.multipliedBy(2));
        kit.scheduler().admin().resume(QUEUE);
        kit.advance(MINUTE.multipliedBy(58));
        assertThat(stored(key).state()).isEqualTo(TimerState.SCHEDULED);

        kit.advance(MINUTE.multipliedBy(4));
        assertThat(stored(key).state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void theWaitBeginsAgainWhenAnOperatorHasMovedTheTimer() {
        handle(builder -> builder, null);
        TimerKey key = schedule("a", "new", kit.now());
        kit.advance(MINUTE);

        assertThat(kit.scheduler().admin().reschedule(key, kit.now().plus(HOUR.multipliedBy(2))))
                .isTrue();
        kit.advance(HOUR.multipliedBy(2).plus(MINUTE));
        assertThat(stored(key).state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aRevivedTimerWaitsForTheWholeTimeAgain() {
        handle(builder -> builder, null);
        TimerKey key = schedule("a", "new", kit.now());
        kit.advance(HOUR.plus(MINUTE));
        assertThat(stored(key).state()).isEqualTo(TimerState.DEAD);

        assertThat(kit.scheduler().admin().revive(key)).isTrue();
        kit.advance(MINUTE.multipliedBy(58));
        assertThat(stored(key).state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void eachTypeIsLoggedOnceHoweverManyTimersWait() {
        handle(builder -> builder, null);
        try (LogLines lines = LogLines.ofDuetime()) {
            for (int i = 0; i < 20; i++) {
                schedule("a" + i, "new", kit.now());
                schedule("b" + i, "newer", kit.now());
            }
            kit.advance(MINUTE.multipliedBy(10));

            assertThat(lines.messages(Level.WARN))
                    .hasSize(2)
                    .allSatisfy(
                            each -> assertThat(each).contains("queue work has no handler on this node for type new"));
        }
    }

    /** It throws for the batch and not for single envelopes, as a simple publisher does. */
    @Test
    void aPublisherMayThrowForTheWholeBatch() {
        TimerKit own = TimerKit.builder()
                .configure(scheduler -> scheduler.unknownTypesFor(HOUR).publisher(batch -> {
                    for (Envelope each : batch) {
                        if (each.type().equals("new")) {
                            throw new UnknownTypeException(each.type(), List.of("timer"));
                        }
                    }
                    batch.forEach(each -> ran.add(each.key().timerId()));
                }))
                .build();
        own.scheduler().schedule(Timer.at("new", own.now()).type("new").build());
        own.advance(MINUTE);
        assertThat(own.store().find(TimerKey.of("new")).orElseThrow().attempt()).isZero();
        for (int i = 0; i < 20; i++) {
            own.scheduler().schedule(Timer.at("a" + i, own.now()).build());
        }
        own.advance(MINUTE);

        assertThat(ran).hasSize(20);
        assertThat(own.scheduler().admin().health().isHealthy()).isTrue();
        own.advance(HOUR);
        assertThat(own.store().find(TimerKey.of("new")).orElseThrow().state()).isEqualTo(TimerState.DEAD);
    }
}
