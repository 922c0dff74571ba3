package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that closing writes what is done, waits no longer than allowed, and leaves the other todos to other nodes.
 */
class TodoCloseTest {
    private static final int COUNT = 20;

    private final Store store = new Store();
    private final List<String> ran = new ArrayList<>();
    private Duration closeTimeout = Duration.ofSeconds(30);
    private StepHandler<String> handler = (todo, run) -> Outcome.complete();
    private TodoQueue queue = TodoQueue.builder("unused").build();

    private TimerKit kit() {
        return TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.closeTimeout(closeTimeout).todoQueue(queue()))
                .build();
    }

    private TodoQueue queue() {
        TodoQueue built = TodoQueue.builder("work")
                .type("job", String.class, this::handle)
                .workers(2)
                .build();
        queue = built;
        return built;
    }

    private Outcome handle(Todo<String> todo, TodoRun run) throws Exception {
        ran.add(todo.id());
        return handler.execute(todo, run);
    }

    private void enqueue(int count) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of("job", "p").id("t" + i))
                .toList());
    }

    private List<String> reached() {
        return IntStream.range(0, COUNT)
                .mapToObj(i -> "t" + i)
                .filter(id -> store.find(queue.key(id))
                        .filter(each -> each.state() == TimerState.REACHED)
                        .isPresent())
                .toList();
    }

    private List<Lease> held() {
        return store.leases().view("work").leases().stream()
                .filter(lease -> lease.owner() != null)
                .toList();
    }

    /** A store that runs a task before the first settle. */
    private static final class Store extends PassThroughStore {
        Runnable settling = () -> {};

        Store() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public int settle(List<Settlement> settlements) {
            Runnable once = settling;
            settling = () -> {};
            once.run();
            return super.settle(settlements);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    /** Waits until the thread has ended, even if the calling thread is interrupted meanwhile. */
    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void openOutcomesOfTodosAreWrittenOnClosing() {
        TimerKit kit = kit();
        kit.node(0).storeDown(call -> call == StoreCall.SETTLE);
        enqueue(COUNT);
        kit.runDue();
        assertThat(ran).hasSize(COUNT);
        assertThat(reached()).isEmpty();
        kit.node(0).storeUp();
        kit.node(0).close();

        assertThat(reached()).hasSize(COUNT);
        assertThat(held()).isEmpty();
    }

    @Test
    void aNodeClosesAlthoughTheStoreRefusesOutcomes() {
        TimerKit kit = kit();
        kit.node(0).storeDown(call -> call == StoreCall.SETTLE);
        enqueue(COUNT);
        kit.runDue();
        kit.node(0).close();
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));

        assertThat(ran).hasSize(2 * COUNT);
        assertThat(reached()).hasSize(COUNT);
    }

    @Test
    void aCloseFromAnotherThreadFinishesOnlyTheCurrentRun() throws InterruptedException {
        TimerKit kit = kit();
        List<String> order = new ArrayList<>();
        Thread closer = new Thread(() -> {
            kit.node(0).close();
            order.add("closed, reached " + reached() + ", holding " + held().size());
        });
        handler = (todo, run) -> {
            closer.start();
            awaitWaiting(closer);
            order.add("ran " + todo.id());
            return Outcome.complete();
        };
        enqueue(COUNT);
        kit.runDue();
        closer.join();

        assertThat(order).containsExactly("ran t0", "closed, reached [t0], holding 0");
        handler = (todo, run) -> Outcome.complete();
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).hasSize(COUNT).doesNotHaveDuplicates();
        assertThat(reached()).hasSize(COUNT);
    }

    @Test
    void aCloseFromInsideAHandlerWritesOnlyItsOutcome() {
        TimerKit kit = kit();
        handler = (todo, run) -> {
            kit.node(0).close();
            return Outcome.complete();
        };
        enqueue(COUNT);
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("t0");
        assertThat(reached()).containsExactly("t0");

        handler = (todo, run) -> Outcome.complete();
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertThat(ran).hasSize(COUNT).doesNotHaveDuplicates();
        assertThat(reached()).hasSize(COUNT);
    }

    /**
     * The settler hangs in the store until the node has closed. A close that waited for the settler would never end.
     */
    @Test
    void aHangingSettlerDoesNotKeepANodeFromClosing() throws InterruptedException {
        closeTimeout = Duration.ZERO;
        TimerKit kit = kit();
        Thread closer = new Thread(() -> kit.node(0).close());
        List<Integer> reachedAtClose = new ArrayList<>();
        store.settling = () -> {
            closer.start();
            awaitEnd(closer);
            reachedAtClose.add(reached().size());
        };
        enqueue(COUNT);
        kit.runDue();
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));

        assertThat(reachedAtClose).containsExactly(0);
        assertThat(reached()).hasSize(COUNT);
        assertThat(ran).hasSizeLessThanOrEqualTo(COUNT + 2);
    }
}
