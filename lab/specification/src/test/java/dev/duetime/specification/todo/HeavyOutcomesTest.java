package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a todo queue holds a bounded number of bytes of outcomes: of small todos with large next steps. */
class HeavyOutcomesTest {
    private static final int COUNT = 200;
    private static final int LENGTH = 700_000;

    /** A read has at most 8 MiB, what is set aside four of them, and each worker has an outcome beyond that. */
    private static final int MOST = 4 * (8 << 20) / LENGTH + 4;

    private static final String HEAVY = "x".repeat(LENGTH);

    private final Rows store = new Rows();
    private final List<String> ran = new ArrayList<>();

    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", String.class, (todo, run) -> handle(todo))
            .workers(2)
            .build();

    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.todoQueue(queue).batchSize(100).shards(1))
            .build();

    /** Why outcomes cannot be written. */
    enum Reason {
        HELD(new LockedException("settle", "a row", new IOException("held"))),
        AWAY(new StoreException("settle", "some rows", new IOException("away")));

        @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
        private final StoreException exception;

        Reason(StoreException exception) {
            this.exception = exception;
        }
    }

    private static final class Rows extends PassThroughStore {
        @Nullable
        StoreException problem;

        /** The largest number of outcomes with a large payload that were written together. */
        int together;

        Rows() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public int settle(List<Settlement> settlements) {
            if (problem != null) {
                throw problem;
            }
            long heavy = settlements.stream()
                    .filter(each -> each instanceof Settlement.Advanced advanced && advanced.withPayload())
                    .count();
            together = Math.max(together, (int) heavy);
            return super.settle(settlements);
        }
    }

    private Outcome handle(Todo<String> todo) {
        if (todo.step().equals("start")) {
            ran.add(todo.id());
            return Outcome.next("two").with(HEAVY);
        }
        return Outcome.complete();
    }

    @ParameterizedTest
    @EnumSource
    void largeNextStepsStopTheQueueBeforeTheyFillTheMemory(Reason reason) {
        kit.advance(Duration.ofMinutes(1));
        store.problem = reason.exception;
        queue.enqueueAll(IntStream.range(0, COUNT)
                .mapToObj(i -> NewTodo.of("job", "p").id("t" + i))
                .toList());
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).hasSizeBetween(2, MOST);

        store.problem = null;
        kit.advance(Duration.ofMinutes(5));
        assertThat(ran).hasSize(COUNT).doesNotHaveDuplicates();
        assertThat(store.together).isEqualTo(1);
    }
}
