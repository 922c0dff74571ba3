package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.NodeListener;
import dev.duetime.specification.LogLines;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that a todo whose outcome cannot be written now keeps no permit: its run has ended. */
class TodoHeldOutcomeTest {
    private final Rows store = new Rows();
    private final List<String> ran = new ArrayList<>();
    private final List<String> outages = new ArrayList<>();
    private int running;
    private int mostRunning;
    private final TodoQueue queue = TodoQueue.builder("work")
            .type(
                    "job",
                    String.class,
                    (todo, run) -> {
                        ran.add(todo.id() + " " + todo.step());
                        mostRunning = Math.max(mostRunning, ++running);
                        linger();
                        running--;
                        return todo.id().equals("steps") && todo.step().equals("start")
                                ? Outcome.next("two")
                                : Outcome.complete();
                    },
                    type -> type.concurrencyLimit(1))
            .workers(4)
            .build();
    private final TimerKit kit = TimerKit.builder()
            .store(store)
            .configure(scheduler -> scheduler.todoQueue(queue).listener(new NodeListener() {
                @Override
                public void outageBegan(String what, Throwable cause) {
                    outages.add(what);
                }
            }))
            .build();

    /** A store that does not settle one row. */
    private static final class Rows extends PassThroughStore {
        private @Nullable String heldId;
        private @Nullable StoreException reason;
        private @Nullable String refusedId;
        private @Nullable StoreException startReason;
        private int starts;

        Rows() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        /** Lets the note that a todo is running fail. */
        void refuseStart(@Nullable String id, @Nullable StoreException why) {
            refusedId = id;
            startReason = why;
        }

        @Override
        public boolean start(TimerKey key, long generation, Instant now) {
            starts += key.timerId().equals(refusedId) ? 1 : 0;
            if (startReason != null && key.timerId().equals(refusedId)) {
                throw startReason;
            }
            return super.start(key, generation, now);
        }

        void hold(@Nullable String id, @Nullable StoreException why) {
            heldId = id;
            reason = why;
        }

        private void check(List<Settlement> settlements) {
            if (reason != null
                    && settlements.stream().map(each -> each.key().timerId()).anyMatch(id -> id.equals(heldId))) {
                throw reason;
            }
        }

        @Override
        public int settle(List<Settlement> settlements) {
            check(settlements);
            return super.settle(settlements);
        }
    }

    private void linger() {
        kit.clock().linger(Duration.ofMillis(20));
    }

    private void run(String... ids) {
        for (String id : ids) {
            queue.enqueue(NewTodo.of("job", "p").id(id));
            kit.advance(Duration.ofMillis(10));
        }
        kit.advance(Duration.ofMinutes(1));
    }

    @Test
    void anOutcomeThatTheDatabaseRefusesStopsNoOtherTodoOfItsType() {
        store.hold("a", new RefusedException("settle", "a", new IOException("refused")));
        run("a", "b", "c");

        assertThat(ran).containsExactly("a start", "b start", "c start");
        assertThat(state("a")).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void anOutcomeWhoseRowIsHeldStopsNoOtherTodoOfItsType() {
        store.hold("a", new LockedException("settle", "a", new IOException("held")));
        run("a", "b", "c");

        assertThat(ran).containsExactly("a start", "b start", "c start");
    }

    /** Only a todo with a correlation key is noted as running before it begins. */
    @Test
    void aStartThatTheDatabaseRefusesIsRetriedLaterAndLoggedOnce() {
        store.refuseStart("a", new RefusedException("start", "a", new IOException("refused")));
        try (LogLines lines = LogLines.ofAll()) {
            queue.enqueue(NewTodo.of("job", "p").id("a").correlationKey("a"));
            run("b");
            kit.advance(Duration.ofMinutes(9));

            assertThat(ran).containsExactly("b start");
            assertThat(store.starts).isBetween(10, 20);
            assertThat(lines.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(queue.key("a").toString(), "refused");
        }
        store.refuseStart(null, null);
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("b start", "a start");
    }

    @Test
    void aStartThatMeetsAnotherTransactionIsRepeatedSoon() {
        store.refuseStart("a", new CollisionException("start", "a", new IOException("deadlock")));
        queue.enqueue(NewTodo.of("job", "p").id("a").correlationKey("a"));
        run("b");
        assertThat(ran).containsExactly("b start");
        assertThat(outages).isEmpty();

        store.refuseStart(null, null);
        kit.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("b start", "a start");
    }

    /** The step that follows such an outcome needs a permit again, and gives it back once. */
    @Test
    void theNextStepOfSuchATodoHoldsAPermitOfItsOwn() {
        store.hold("steps", new LockedException("settle", "steps", new IOException("held")));
        run("steps", "b");
        store.hold(null, null);
        run("c", "d");

        assertThat(ran).containsExactlyInAnyOrder("steps start", "b start", "steps two", "c start", "d start");
        assertThat(mostRunning).isEqualTo(1);
        assertThat(state("steps")).isEqualTo(TimerState.REACHED);
    }

    private TimerState state(String id) {
        return store.find(TimerKey.ofTodo(TimerKey.DEFAULT_TENANT, "work", id))
                .orElseThrow()
                .state();
    }
}
