package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.engine.schedule.GroupCommit;
import dev.duetime.store.NewTimer;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The rule that an error in one call, such as a full heap, is no error of the calls that share its write. */
class SharedWriteErrorTest {
    private static final AtomicLong GENERATIONS = new AtomicLong();

    private final Store store = new Store();
    private final Set<Thread> withoutMemory = ConcurrentHashMap.newKeySet();

    /** Time stands still, so that no call begins a write of its own. */
    private final GroupCommit commit = new GroupCommit(store, new StoppedTime());

    private static OutOfMemoryError heapIsFull() {
        return new OutOfMemoryError("the heap is full");
    }

    /** A clock that threads without memory cannot read. */
    private final class StoppedTime implements Clock {
        @Override
        public Instant now() {
            return TestClock.START;
        }

        @Override
        public long nanoTime() {
            if (withoutMemory.contains(Thread.currentThread())) {
                throw heapIsFull();
            }
            return 0;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException("nothing runs in this test");
        }
    }

    /** A store in which the first write hangs. */
    private static final class Store extends PassThroughStore {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<Integer> sizes = new CopyOnWriteArrayList<>();

        Store() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            if (timers.get(0).key().timerId().equals("first")) {
                begun.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            sizes.add(timers.size());
            return super.schedule(timers);
        }
    }

    /** The timers of a call. Asked for their number the given time, they throw. */
    private static final class Failing extends AbstractList<NewTimer> {
        private final List<NewTimer> timers;
        private int left;

        Failing(List<NewTimer> timers, int time) {
            this.timers = timers;
            left = time;
        }

        @Override
        public NewTimer get(int index) {
            return timers.get(index);
        }

        @Override
        public int size() {
            if (--left == 0) {
                throw heapIsFull();
            }
            return timers.size();
        }
    }

    private final class Call {
        final CompletableFuture<List<ScheduleResult>> results = new CompletableFuture<>();
        final Thread thread;

        Call(List<NewTimer> timers) {
            thread = new Thread(() -> {
                try {
                    results.complete(commit.schedule(timers));
                } catch (RuntimeException | Error e) {
                    results.completeExceptionally(e);
                }
            });
            thread.start();
        }

        String id() throws Exception {
            return results.get().get(0).key().timerId();
        }
    }

    private static List<NewTimer> timers(String id) {
        return timers(id, Payload.NONE);
    }

    private static List<NewTimer> timers(String id, Payload payload) {
        TimerContent content = new TimerContent(
                "default", TestClock.START, null, "type", payload, Map.of(), 0, null, null, null, null, null, null);
        return List.of(
                new NewTimer(TimerKey.of(id), 0, content, GENERATIONS.incrementAndGet(), TestClock.START, false));
    }

    private Call firstCall() throws InterruptedException {
        Call first = new Call(timers("first"));
        store.begun.await();
        return first;
    }

    /** Begins a call and returns once it waits for its turn. */
    private Call waitingCall(List<NewTimer> timers) {
        Call call = new Call(timers);
        while (Arrays.stream(call.thread.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("parkNanos"))) {
            Thread.onSpinWait();
        }
        return call;
    }

    /** The call with the turn asks for the number of these timers twice or more, after the call itself did three times. */
    @Test
    void anErrorWhileCallsAreTakenLosesNone() throws Exception {
        for (int time = 4; time <= 6; time++) {
            SharedWriteErrorTest test = new SharedWriteErrorTest();
            Call first = test.firstCall();
            Call taking = test.waitingCall(timers("taking"));
            Call failing = test.waitingCall(new Failing(timers("failing"), time));
            Call other = test.waitingCall(timers("other"));
            test.store.goOn.countDown();

            assertThat(first.id()).isEqualTo("first");
            assertThat(other.id()).as("time %d", time).isEqualTo("other");
            for (Call each : List.of(taking, failing)) {
                each.results.handle((results, error) -> results).get();
            }
        }
    }

    /** Otherwise it might be written after the caller has scheduled something else under the key. */
    @Test
    void aCallWhoseWaitEndedWithAnErrorIsNotWritten() throws Exception {
        Call first = firstCall();
        Call failing = waitingCall(timers("failing"));
        Call other = waitingCall(timers("other"));
        withoutMemory.add(failing.thread);

        assertThatThrownBy(failing.results::get).hasCauseInstanceOf(OutOfMemoryError.class);
        store.goOn.countDown();

        assertThat(other.id()).isEqualTo("other");
        assertThat(first.id()).isEqualTo("first");
        assertThat(store.find(TimerKey.of("failing"))).isEmpty();
    }

    /** Each would be small enough for a shared write. */
    @Test
    void callsWithLargePayloadsAreNotAllWrittenTogether() throws Exception {
        Payload large = Payload.of(new byte[400_000]);
        Call first = firstCall();
        List<Call> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(waitingCall(timers("large" + i, large)));
        }
        store.goOn.countDown();
        for (Call each : others) {
            each.id();
        }

        assertThat(first.id()).isEqualTo("first");
        assertThat(store.sizes).containsExactly(1, 2, 2, 1);
    }
}
