package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests of concurrent calls that share a write. When its reply is lost, each call learns the outcome of its own timers.
 */
class SharedWriteTest {
    private static final TimerKey FIRST = TimerKey.of("first");
    private static final TimerKey A = TimerKey.of("a");
    private static final TimerKey B = TimerKey.of("b");

    private final LosesTheReply store = new LosesTheReply();
    private final Scheduler scheduler =
            Scheduler.builder().store(store).clock(new TestClock()).build();

    @Test
    void aRepeatAfterFiringIsNotRefusedAsTooLate() throws Exception {
        CompletableFuture<ScheduleResult> first = holdUp();
        Calls calls = new Calls(waiting(A), waiting(B));
        store.goOn.countDown();

        assertThat(first.get().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        for (CompletableFuture<ScheduleResult> call : List.of(calls.a, calls.b)) {
            assertThat(call.get().outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
            assertThat(call.get().state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(call.get().generation())
                    .isEqualTo(store.find(call.get().key()).orElseThrow().generation());
        }
        assertThat(store.fired).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void anotherTimerThatFiredUnderTheKeyStaysStored() throws Exception {
        CompletableFuture<ScheduleResult> first = holdUp();
        Calls calls = new Calls(waiting(A), waiting(A));
        store.goOn.countDown();

        assertThat(first.get().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(List.of(calls.a.get().outcome(), calls.b.get().outcome()))
                .containsExactlyInAnyOrder(ScheduleOutcome.UNCHANGED, ScheduleOutcome.IGNORED);
    }

    @Test
    void onlyTimersOfOneCallAreAllOrNone() throws Exception {
        CompletableFuture<ScheduleResult> first = holdUp();
        Calls calls = new Calls(waiting(A), waiting(B));
        store.goOn.countDown();
        CompletableFuture.allOf(first, calls.a, calls.b).get();
        List<Timer> ofOneCall = List.of(
                Timer.at(TimerKey.of("c"), Instant.EPOCH).build(),
                Timer.at(TimerKey.of("d"), Instant.EPOCH).build());

        assertThatThrownBy(() -> scheduler.scheduleAll(ofOneCall)).hasMessageContaining("2 timers");

        assertThat(store.separately).containsExactly(1, 2);
        assertThat(store.together).containsExactly(1, 1, 2);
    }

    @Test
    void anInterruptedWaitingCallIsWrittenAndStaysInterrupted() throws Exception {
        CompletableFuture<ScheduleResult> first = holdUp();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            scheduler.schedule(A, Instant.EPOCH, null);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        thread.start();
        while (!waitsForItsTurn(thread)) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        store.goOn.countDown();

        assertThat(first.get().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(interrupted.get()).isTrue();
        assertThat(store.find(A)).isPresent();
    }

    /** Lets a call begin to write: the next ones wait. */
    private CompletableFuture<ScheduleResult> holdUp() throws InterruptedException {
        CompletableFuture<ScheduleResult> first = new CompletableFuture<>();
        begin(FIRST, first);
        store.begun.await();
        return first;
    }

    private record Calls(CompletableFuture<ScheduleResult> a, CompletableFuture<ScheduleResult> b) {}

    /** Begins a call and returns once it waits for its turn. */
    private CompletableFuture<ScheduleResult> waiting(TimerKey key) {
        CompletableFuture<ScheduleResult> result = new CompletableFuture<>();
        Thread thread = begin(key, result);
        while (!waitsForItsTurn(thread)) {
            Thread.onSpinWait();
        }
        return result;
    }

    private Thread begin(TimerKey key, CompletableFuture<ScheduleResult> result) {
        Thread thread = new Thread(() -> {
            try {
                result.complete(scheduler.schedule(key, Instant.EPOCH, null));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        return thread;
    }

    private static boolean waitsForItsTurn(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("awaitTurn"));
    }

    /**
     * A store that delays the first write. The next write, of more than one timer, is done and delivered by another
     * node, but not answered.
     */
    private static final class LosesTheReply extends PassThroughStore {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<TimerKey> fired = new CopyOnWriteArrayList<>();
        final List<Integer> separately = new CopyOnWriteArrayList<>();
        final List<Integer> together = new CopyOnWriteArrayList<>();

        LosesTheReply() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            together.add(timers.size());
            return write(timers);
        }

        @Override
        public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
            separately.add(timers.size());
            return write(timers);
        }

        private List<ScheduleResult> write(List<NewTimer> timers) {
            if (timers.get(0).key().equals(FIRST)) {
                begun.countDown();
                awaitGoOn();
            }
            List<ScheduleResult> results = super.schedule(timers);
            if (timers.size() == 1) {
                return results;
            }
            for (ScheduleResult each : results) {
                fired.add(each.key());
                settle(List.of(new Settlement.Ended(
                        each.key(), each.generation(), TimerState.REACHED, Instant.EPOCH, 1, null)));
            }
            throw new StoreException("schedule", timers.size() + " timers", new IllegalStateException("reply lost"));
        }

        private void awaitGoOn() {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
