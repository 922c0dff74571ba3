package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of closing a loop that runs in a thread. */
class ThreadLoopCloseTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final SystemClock clock = new SystemClock();

    @Test
    void closingWaitsForTheRunningPassAndStartsNoOther() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        Clock.Loop loop = clock.start("test", () -> {
            running.countDown();
            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
            finished.incrementAndGet();
            return Instant.MIN;
        });
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
        Thread closer = new Thread(() -> loop.close(LONG));
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        goOn.countDown();
        closer.join();

        assertThat(finished).hasValue(1);
    }

    @Test
    void aPassThatDoesNotEndInTimeIsInterrupted() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        AtomicInteger interrupts = new AtomicInteger();
        Clock.Loop loop = clock.start("test", () -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
            }
            return Instant.MAX;
        });
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

        loop.close(Duration.ofMillis(1));
        assertThat(loop.close(LONG)).isTrue();
        assertThat(interrupts).hasValue(1);
    }

    /** If the close waited a second for each pass, the test would exceed its time limit. */
    @Test
    void passesThatIgnoreTheirInterruptAreNotWaitedForAnyLonger() {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Clock.Loop> stuck = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(60);
        for (int i = 0; i < 60; i++) {
            stuck.add(clock.start("test", () -> {
                running.countDown();
                awaitWhateverHappens(goOn);
                return Instant.MAX;
            }));
        }
        awaitWhateverHappens(running);

        assertThat(stuck).noneMatch(each -> each.close(Duration.ofMillis(1)));
        goOn.countDown();
        assertThat(stuck).allMatch(each -> each.close(LONG));
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        for (boolean over = false; !over; ) {
            try {
                over = latch.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                over = false;
            }
        }
    }

    @Test
    void closingFromInsideThePassDoesNotWaitForItself() {
        CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Clock.Loop loop = clock.start("test", () -> {
            ended.complete(self.join().close(LONG));
            return Instant.MIN;
        });
        self.complete(loop);

        assertThat(ended.join()).isFalse();
        assertThat(loop.close(LONG)).isTrue();
    }
}
