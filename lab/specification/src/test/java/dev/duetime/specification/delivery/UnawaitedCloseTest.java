package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of a node that closes and cannot wait for its running calls: their shards stay until the calls have ended. */
class UnawaitedCloseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofSeconds(4);

    private final Store store = new Store();
    private final List<String> begun = new ArrayList<>();
    private Runnable inFirstCall = () -> {};
    private TodoQueue queue = TodoQueue.builder("unused").build();
    private TimerKit kit = TimerKit.builder().notStarted().build();

    /** A store in whose next read other things happen, and in which another transaction may hold a row. */
    private static final class Store extends PassThroughStore {
        private Runnable inNextRead = () -> {};
        private String heldId = "";

        Store() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            Runnable action = inNextRead;
            inNextRead = () -> {};
            action.run();
            return super.due(query);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            if (settlements.stream().anyMatch(this::isHeld)) {
                throw new LockedException("settle", settlements.get(0).key(), new SQLException("the row is held"));
            }
            return super.settle(settlements);
        }

        @Override
        public Settled settleUnlocked(List<Settlement> settlements) {
            List<Settlement> held = settlements.stream().filter(this::isHeld).toList();
            int written = super.settle(
                    settlements.stream().filter(each -> !isHeld(each)).toList());
            return new Settled(written, held);
        }

        private boolean isHeld(Settlement settlement) {
            return settlement.key().timerId().endsWith(heldId) && !heldId.isEmpty();
        }
    }

    private void publish(List<Envelope> batch) {
        batch.forEach(each -> begun.add(each.key().timerId()));
        inCall();
    }

    private Outcome run(Todo<String> todo, TodoRun run) {
        begun.add(todo.id());
        inCall();
        return Outcome.complete();
    }

    private void inCall() {
        Runnable action = inFirstCall;
        inFirstCall = () -> {};
        action.run();
        kit.clock().linger(CALL);
    }

    private TodoQueue queue() {
        queue = TodoQueue.builder("work")
                .type("job", String.class, this::run)
                .workers(2)
                .build();
        return queue;
    }

    private void start(Consumer<SchedulerBuilder> delivery) {
        kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.shards(1).leaseDuration(Duration.ofMinutes(1)))
                .configure(delivery)
                .build();
    }

    private void startWithCalls() {
        start(scheduler -> scheduler.concurrency(2).publisher(this::publish));
    }

    private void closeInNextRead() {
        store.inNextRead = () -> {
            kit.node(0).close();
            kit.addNode();
        };
    }

    private TimerState state(TimerKey key) {
        return store.find(key).orElseThrow().state();
    }

    private List<Lease> heldByClosed() {
        return heldByClosed("default");
    }

    private List<Lease> heldByClosed(String name) {
        return store.leases().view(name).leases().stream()
                .filter(lease ->
                        String.valueOf(lease.owner()).startsWith(kit.node(0).id()))
                .toList();
    }

    @Test
    void aTurnThatEndsAfterACloseKeepsTheShardsOfRunningCalls() {
        startWithCalls();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        inFirstCall = () -> {
            closeInNextRead();
            kit.scheduler().schedule(Timer.after("b", SECOND).build());
        };
        kit.advance(Duration.ofMinutes(2));
        assertThat(begun).containsExactly("a", "b");
        assertThat(state(TimerKey.of("a"))).isEqualTo(TimerState.REACHED);
    }

    @Test
    void theLastCallAfterACloseSettlesAndReleasesTheShards() {
        startWithCalls();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        inFirstCall = () -> {
            closeInNextRead();
            kit.scheduler().schedule(Timer.after("b", SECOND).build());
        };
        kit.advance(SECOND.plus(CALL).plus(SECOND));
        assertThat(state(TimerKey.of("a"))).isEqualTo(TimerState.REACHED);
        assertThat(heldByClosed()).isEmpty();
    }

    @Test
    void aCloseFromInsideOneOfSeveralCallsSettlesThemAndReleasesTheShards() {
        startWithCalls();
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.after("a", SECOND).build(),
                        Timer.after("b", SECOND).build()));
        inFirstCall = () -> {
            kit.clock().linger(SECOND);
            kit.node(0).close();
        };
        kit.advance(SECOND.plus(CALL).plus(CALL));
        assertThat(begun).containsExactlyInAnyOrder("a", "b");
        assertThat(state(TimerKey.of("a"))).isEqualTo(TimerState.REACHED);
        assertThat(state(TimerKey.of("b"))).isEqualTo(TimerState.REACHED);
        assertThat(heldByClosed()).isEmpty();
    }

    @Test
    void aTurnThatEndsAfterACloseKeepsTheShardsOfRunningHandlers() {
        start(scheduler -> scheduler.todoQueue(queue()));
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        inFirstCall = () -> {
            closeInNextRead();
            queue.enqueue(NewTodo.of("job", "p").id("b"));
        };
        kit.advance(Duration.ofMinutes(2));
        assertThat(begun).containsExactly("a", "b");
        assertThat(state(queue.key("a"))).isEqualTo(TimerState.REACHED);
    }

    @Test
    void theLastHandlerAfterACloseReleasesTheShards() {
        start(scheduler -> scheduler.todoQueue(queue()));
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        inFirstCall = () -> {
            closeInNextRead();
            queue.enqueue(NewTodo.of("job", "p").id("b"));
        };
        kit.advance(CALL.plus(SECOND));
        assertThat(state(queue.key("a"))).isEqualTo(TimerState.REACHED);
        assertThat(heldByClosed("work")).isEmpty();
    }

    @Test
    void anOutcomeWhoseRowIsHeldDoesNotKeepTheShardsOfAPublisher() {
        startWithCalls();
        store.heldId = "b";
        kit.scheduler()
                .scheduleAll(List.of(
                        Timer.after("a", SECOND).build(),
                        Timer.after("b", SECOND).build()));
        inFirstCall = () -> kit.node(0).close();
        kit.advance(SECOND.plus(CALL).plus(CALL));
        assertThat(state(TimerKey.of("a"))).isEqualTo(TimerState.REACHED);
        assertThat(state(TimerKey.of("b"))).isEqualTo(TimerState.SCHEDULED);
        assertThat(heldByClosed()).isEmpty();
    }

    @Test
    void anOutcomeWhoseRowIsHeldDoesNotKeepTheShardsOfHandlers() {
        start(scheduler -> scheduler.todoQueue(queue()));
        store.heldId = "b";
        queue.enqueue(NewTodo.of("job", "p").id("b"));
        inFirstCall = () -> kit.node(0).close();
        kit.advance(CALL.plus(SECOND));
        assertThat(state(queue.key("b"))).isEqualTo(TimerState.SCHEDULED);
        assertThat(heldByClosed("work")).isEmpty();
    }
}
