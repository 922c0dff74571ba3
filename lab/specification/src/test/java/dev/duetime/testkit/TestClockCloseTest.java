package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests of how a loop in virtual time is closed: idle, from inside a turn and from other threads. */
class TestClockCloseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final List<String> runs = new ArrayList<>();

    /** Starts a loop that runs at a fixed interval, and notes each time. */
    private Clock.Loop every(Duration interval, String name) {
        return clock.start(name, () -> {
            note(name);
            return clock.now().plus(interval);
        });
    }

    private void note(String name) {
        runs.add(name + "@" + Duration.between(TestClock.START, clock.now()).toMillis());
    }

    @Test
    void closingRemovesTheLoop() {
        Clock.Loop loop = every(SECOND, "a");
        clock.runDue();
        assertThat(loop.close(Duration.ZERO)).isTrue();
        assertThat(loop.close(Duration.ZERO)).isTrue();
        loop.wakeAt(Instant.MIN);
        clock.advance(Duration.ofHours(1));
        assertThat(runs).containsExactly("a@0");
    }

    @Test
    void closingFromInsideItsOwnTurnCannotWaitForTheEnd() {
        CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
        List<Boolean> ended = new ArrayList<>();
        self.complete(clock.start("a", () -> {
            note("a");
            ended.add(self.join().close(SECOND));
            return clock.now().plus(SECOND);
        }));
        clock.advance(Duration.ofHours(1));
        assertThat(ended).containsExactly(false);
        assertThat(runs).containsExactly("a@0");
    }

    @Test
    void closingFromTheTurnOfAnotherLoopIsAtOnce() {
        Clock.Loop other = every(SECOND, "b");
        List<Boolean> ended = new ArrayList<>();
        clock.start("a", () -> {
            ended.add(other.close(Duration.ZERO));
            return Instant.MAX;
        });
        clock.advance(Duration.ofHours(1));
        assertThat(ended).containsExactly(true);
        assertThat(runs).containsExactly("b@0");
    }

    @Test
    void closingFromAnotherThreadWaitsForTheRunningTurn() throws InterruptedException {
        CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
        List<String> order = new ArrayList<>();
        Thread closer = new Thread(() -> {
            boolean ended = self.join().close(Duration.ofMinutes(1));
            order.add("closed " + ended);
        });
        self.complete(clock.start("a", () -> {
            closer.start();
            awaitWaiting(closer);
            order.add("turn over");
            return clock.now().plus(SECOND);
        }));
        clock.advance(Duration.ofHours(1));
        closer.join();
        assertThat(order).containsExactly("turn over", "closed true");
    }

    @Test
    void closingFromAnotherThreadInterruptsATurnThatOutlastsTheLimit() throws InterruptedException {
        CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
        List<Boolean> ended = new ArrayList<>();
        Thread closer = new Thread(() -> {
            ended.add(self.join().close(Duration.ZERO));
            ended.add(self.join().close(Duration.ofMinutes(1)));
        });
        self.complete(clock.start("a", () -> {
            closer.start();
            new CountDownLatch(1).await();
            return clock.now();
        }));
        clock.advance(Duration.ofHours(1));
        closer.join();
        assertThat(ended).containsExactly(false, true);
        assertThat(Thread.interrupted())
                .as("the interrupt was meant for the turn")
                .isFalse();
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
