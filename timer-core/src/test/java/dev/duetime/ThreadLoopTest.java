package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadLoopTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final SystemClock clock = new SystemClock();
    private final List<Thread> threads = new ArrayList<>();

    /** Returns a clock whose loops have threads of this test. */
    private SystemClock clockOfThreads() {
        return new SystemClock(body -> {
            threads.add(new Thread(body));
            return threads.get(0);
        });
    }

    /** Waits until the loop has ended its first turn. */
    private void awaitWaiting() {
        while (threads.get(0).getState() != Thread.State.TIMED_WAITING) {
            assertThat(threads.get(0).isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void aLoopRunsAtOnceAndAtTheTimeItReturned() throws InterruptedException {
        CountDownLatch passes = new CountDownLatch(3);
        Clock.Loop loop = clock.start("test", () -> {
            passes.countDown();
            return clock.now().plusMillis(5);
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void aLoopThatWaitsForeverIsWoken() throws InterruptedException {
        AtomicInteger passes = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(2);
        Clock.Loop loop = clock.start("test", () -> {
            passes.incrementAndGet();
            first.countDown();
            second.countDown();
            return Instant.MAX;
        });
        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();

        loop.wakeAt(clock.now());

        assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
        assertThat(passes).hasValue(2);
    }

    @Test
    void aWakeUpDuringAPassIsNotLost() throws InterruptedException {
        CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
        CountDownLatch passes = new CountDownLatch(2);
        Clock.Loop loop = clock.start("test", () -> {
            if (passes.getCount() == 2) {
                self.join().wakeAt(Instant.MIN);
            }
            passes.countDown();
            return Instant.MAX;
        });
        self.complete(loop);

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    /** A heap that is full in the thread that wakes a loop. */
    @Test
    void aWakeUpThatBreaksOffIsNotLost() throws InterruptedException {
        SystemClock real = clockOfThreads();
        Clock time = new Clock() {
            @Override
            public Instant now() {
                if (Thread.currentThread() != threads.get(0)) {
                    throw new OutOfMemoryError("a full heap");
                }
                return real.now();
            }

            @Override
            public long nanoTime() {
                return real.nanoTime();
            }

            @Override
            public Loop start(String name, Pass pass) {
                return real.start(name, pass, this);
            }
        };
        CountDownLatch passes = new CountDownLatch(2);
        Clock.Loop loop = time.start("test", () -> {
            passes.countDown();
            return Instant.MAX;
        });
        awaitWaiting();

        assertThatThrownBy(() -> loop.wakeAt(real.now().plusMillis(1))).isInstanceOf(OutOfMemoryError.class);

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void aLoopRunsOnTimeAlthoughTheClockIsSetBack() throws InterruptedException {
        SystemClock real = clockOfThreads();
        AtomicReference<Duration> setBack = new AtomicReference<>(Duration.ZERO);
        Clock time = new Clock() {
            @Override
            public Instant now() {
                return real.now().minus(setBack.get());
            }

            @Override
            public long nanoTime() {
                return real.nanoTime();
            }

            @Override
            public Loop start(String name, Pass pass) {
                return real.start(name, pass, this);
            }
        };
        CountDownLatch passes = new CountDownLatch(2);
        Clock.Loop loop = time.start("test", () -> {
            passes.countDown();
            return time.now().plusMillis(200);
        });
        awaitWaiting();

        setBack.set(Duration.ofHours(1));

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void anInterruptThatIsNoCloseDoesNotEndTheLoop() throws InterruptedException {
        CountDownLatch passes = new CountDownLatch(3);
        Clock.Loop loop = clock.start("test", () -> {
            passes.countDown();
            if (passes.getCount() == 2) {
                Thread.currentThread().interrupt();
                return clock.now().plusMillis(1);
            }
            throw new InterruptedException("somebody else's");
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void aPassThatFailsIsRunAgain() throws InterruptedException {
        CountDownLatch passes = new CountDownLatch(2);
        Clock.Loop loop = clock.start("test", () -> {
            passes.countDown();
            throw new IllegalStateException("a bug");
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    /** While the heap is full, the code that handles the first error gets the next one. */
    @Test
    void anErrorWhileAnErrorIsHandledDoesNotEndTheLoop() throws InterruptedException {
        CountDownLatch passes = new CountDownLatch(3);
        Clock.Loop loop = clock.start("test", () -> {
            passes.countDown();
            if (passes.getCount() > 0) {
                throw new UntellableError();
            }
            return Instant.MAX;
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void aFailureOfTheClockDoesNotEndAWaitingLoop() throws InterruptedException {
        CountDownLatch failures = new CountDownLatch(2);
        CountDownLatch passes = new CountDownLatch(3);
        Clock time = new Clock() {
            @Override
            public Instant now() {
                failures.countDown();
                if (failures.getCount() > 0) {
                    throw new OutOfMemoryError("by a test");
                }
                return clock.now();
            }

            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public Loop start(String name, Pass pass) {
                return clock.start(name, pass, this);
            }
        };
        Clock.Loop loop = time.start("test", () -> {
            passes.countDown();
            return Instant.EPOCH;
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
    }

    @Test
    void anInterruptFlagLeftByAPassIsCleared() throws InterruptedException {
        CountDownLatch passes = new CountDownLatch(2);
        AtomicInteger interrupted = new AtomicInteger();
        Clock.Loop loop = clock.start("test", () -> {
            interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            passes.countDown();
            if (passes.getCount() > 0) {
                Thread.currentThread().interrupt();
                return Instant.MIN;
            }
            return Instant.MAX;
        });

        assertThat(passes.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.close(LONG)).isTrue();
        assertThat(interrupted).hasValue(0);
    }

    /** An error whose own methods throw. */
    private static final class UntellableError extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("while the error is rendered");
        }

        @Override
        public String toString() {
            throw new OutOfMemoryError("while the error is rendered");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new OutOfMemoryError("while the error is rendered");
        }
    }
}
