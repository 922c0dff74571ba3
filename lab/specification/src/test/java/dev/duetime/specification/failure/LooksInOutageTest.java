package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a queue with a backlog backs off like any other while the store is away, and says so. */
class LooksInOutageTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A store that fails all reads while it is away. */
    private static final class Away extends PassThroughStore {
        boolean isAway;
        int calls;

        Away() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        private void call() {
            if (isAway) {
                calls++;
                throw new StoreException("read", "due timers", new IOException("away"));
            }
        }

        @Override
        public DueTimers due(DueQuery query) {
            call();
            return super.due(query);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            call();
            return super.nextDue(queue, shards, after);
        }
    }

    private final Away store = new Away();

    /** With quick handlers the buffer runs empty, with slow ones it stays full. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10_000})
    void looksDoNotHideAnOutage(int millis) {
        TimerKit[] own = new TimerKit[1];
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    own[0].clock().linger(Duration.ofMillis(millis + 10));
                    return Outcome.complete();
                })
                .workers(2)
                .build();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue).batchSize(20))
                .build()) {
            own[0] = kit;
            for (int i = 0; i < 10_000; i++) {
                queue.enqueue(NewTodo.of("job", "p").key(TimerKey.of("big", "b" + i)));
            }
            kit.advance(SECOND);
            store.isAway = true;
            kit.advance(SECOND.multipliedBy(10));
            int begin = store.calls;
            Instant began = kit.now();
            kit.advance(SECOND.multipliedBy(60));

            long seconds = Duration.between(began, kit.now()).toSeconds();
            assertThat((long) store.calls - begin).isLessThan(3 * seconds);
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNotNull();
            store.isAway = false;
            kit.advance(SECOND.multipliedBy(60));
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNull();
        }
    }
}
