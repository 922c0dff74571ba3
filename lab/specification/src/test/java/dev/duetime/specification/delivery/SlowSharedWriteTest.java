package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a shared write which hangs delays only its own calls, and only up to a limit. */
class SlowSharedWriteTest {
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final TestClock clock = new TestClock();
    private final Map<Thread, Integer> looks = new ConcurrentHashMap<>();
    private final HangingStore store = new HangingStore(clock);
    private final Scheduler scheduler =
            Scheduler.builder().store(store).clock(new WatchedClock()).build();

    /** The clock of the test, which counts how often each thread reads it. */
    private final class WatchedClock implements Clock {
        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            looks.merge(Thread.currentThread(), 1, Integer::sum);
            return clock.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            return clock.start(name, pass);
        }
    }

    @AfterEach
    void letAllGoOn() {
        store.hanging.values().forEach(CountDownLatch::countDown);
    }

    @Test
    void aCallThatWaitedLongWritesBesideTheHangingOne() {
        Call first = hangingCall("first");
        Call other = waitingCall("other");

        clock.advance(PATIENCE);

        assertThat(other.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(first.result).isNotDone();
        assertThat(call("next").result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        store.letGoOn("first");
        assertThat(first.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void furtherWritesBesideHangingOnesBeginEverMoreRarely() {
        hangingCall("first");
        store.hang("second");
        waitingCall("second");
        clock.advance(PATIENCE);
        store.awaitHanging("second");
        Call third = waitingCall("third");

        clock.advance(PATIENCE);
        int before = looksOf(third);
        while (!third.result.isDone() && looksOf(third) < before + 5) {
            Thread.onSpinWait();
        }

        assertThat(third.result).isNotDone();
        clock.advance(PATIENCE.multipliedBy(3));
        assertThat(third.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    private int looksOf(Call call) {
        return looks.getOrDefault(call.thread, 0);
    }

    @Test
    void anInterruptedCallWritesAtOnceAndStaysInterrupted() {
        Call first = hangingCall("first");
        Call other = waitingCall("other");

        other.thread.interrupt();

        assertThat(other.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(other.staysInterrupted.join()).isTrue();
        assertThat(first.result).isNotDone();
    }

    @Test
    void aCallInAWriteThatHangsEndsAfterHalfAMinute() {
        Call follower = followerOfHangingWrite();

        clock.advance(Duration.ofSeconds(30));

        assertThatThrownBy(follower.result::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("schedule default/b failed");
        Call next = waitingCall("next");
        clock.advance(PATIENCE);
        assertThat(next.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void anInterruptEndsTheWaitInAHangingWrite() {
        Call follower = followerOfHangingWrite();

        follower.thread.interrupt();
        clock.advance(Duration.ofSeconds(1));

        assertThatThrownBy(follower.result::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("schedule default/b failed: interrupted");
        assertThat(follower.staysInterrupted.join()).isTrue();
    }

    @Test
    void aLockSplitsASharedWriteIntoSingleWrites() {
        Call first = hangingCall("first");
        Call locked = waitingCall("locked");
        Call other = waitingCall("other");
        store.locked.add(TimerKey.of("locked"));
        store.hang("locked");
        store.letGoOn("first");

        assertThat(other.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(first.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(call("next").result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(locked.result).isNotDone();
        store.letGoOn("locked");
        assertThat(locked.result.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    private static final class Call {
        final CompletableFuture<ScheduleResult> result = new CompletableFuture<>();
        final CompletableFuture<Boolean> staysInterrupted = new CompletableFuture<>();
        final Thread thread;

        Call(Scheduler scheduler, String id) {
            thread = new Thread(() -> {
                try {
                    result.complete(scheduler.schedule(TimerKey.of(id), Instant.EPOCH, null));
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                } finally {
                    staysInterrupted.complete(Thread.currentThread().isInterrupted());
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
    }

    private Call call(String id) {
        return new Call(scheduler, id);
    }

    /** Returns a call whose write hangs. */
    private Call hangingCall(String id) {
        store.hang(id);
        Call call = call(id);
        store.awaitHanging(id);
        return call;
    }

    /** Returns a call that waits for its turn. */
    private Call waitingCall(String id) {
        Call call = call(id);
        // Parked, so that it has read the clock.
        while (call.thread.getState() != Thread.State.TIMED_WAITING
                || Arrays.stream(call.thread.getStackTrace())
                        .noneMatch(frame -> frame.getMethodName().equals("awaitTurn"))) {
            Thread.onSpinWait();
        }
        return call;
    }

    private Call followerOfHangingWrite() {
        hangingCall("first");
        waitingCall("a");
        Call follower = waitingCall("b");
        store.hang("a");
        store.letGoOn("first");
        store.awaitHanging("a");
        return follower;
    }

    /** A store whose writes of some timers hang, and which refuses shared writes of some as if they were locked. */
    private static final class HangingStore extends PassThroughStore {
        final Map<TimerKey, CountDownLatch> hanging = new ConcurrentHashMap<>();
        final Set<TimerKey> locked = ConcurrentHashMap.newKeySet();
        private final AtomicReference<TimerKey> hangs = new AtomicReference<>();

        HangingStore(TestClock clock) {
            super(new InMemoryScheduleStore(clock));
        }

        void hang(String id) {
            hanging.put(TimerKey.of(id), new CountDownLatch(1));
        }

        void letGoOn(String id) {
            CountDownLatch latch = hanging.get(TimerKey.of(id));
            if (latch != null) {
                latch.countDown();
            }
        }

        void awaitHanging(String id) {
            while (!TimerKey.of(id).equals(hangs.get())) {
                Thread.onSpinWait();
            }
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            hangFor(timers);
            return super.schedule(timers);
        }

        @Override
        public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
            if (timers.stream().map(NewTimer::key).anyMatch(locked::contains)) {
                throw new CollisionException("schedule", "a row", new IllegalStateException("locked"));
            }
            hangFor(timers);
            return super.scheduleEach(timers);
        }

        private void hangFor(List<NewTimer> timers) {
            for (NewTimer timer : timers) {
                CountDownLatch latch = hanging.get(timer.key());
                if (latch != null) {
                    hangs.set(timer.key());
                    await(latch);
                }
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
