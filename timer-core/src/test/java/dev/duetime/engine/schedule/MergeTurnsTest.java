package dev.duetime.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.store.CollisionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MergeTurnsTest {
    private final MergeTurns turns = new MergeTurns();

    private CompletableFuture<Void> inAnotherThread(CountDownLatch began, String key) {
        return CompletableFuture.runAsync(() -> {
            began.countDown();
            turns.await(key, () -> "acme/todo").close();
        });
    }

    @Test
    void aCallWaitsForItsOwnKeyOnly() {
        MergeTurns.Turn turn = turns.await("a", () -> "acme/todo");
        inAnotherThread(new CountDownLatch(1), "b").join();
        turn.close();
    }

    @Test
    void theNextCallBeginsWhenTheTurnEnds() throws InterruptedException {
        MergeTurns.Turn turn = turns.await("a", () -> "acme/todo");
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Void> next = inAnotherThread(began, "a");
        began.await();
        assertThat(next).isNotDone();
        turn.close();
        next.join();
    }

    @Test
    void aCallWithinACallHasItsTurn() {
        MergeTurns.Turn turn = turns.await("a", () -> "acme/todo");
        turns.await("a", () -> "acme/todo").close();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a").join();
    }

    @Test
    void anInterruptEndsTheWaitWithACollisionButTakesAFreeTurn() {
        MergeTurns.Turn turn = turns.await("a", () -> "acme/todo");
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().interrupt();
            turns.await("b", () -> "acme/todo").close();
            assertThatThrownBy(() -> turns.await("a", () -> "acme/todo"))
                    .isInstanceOf(CollisionException.class)
                    .hasMessageContaining("acme/todo");
            return Thread.interrupted();
        });
        assertThat(interrupted.join()).isTrue();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a").join();
    }
}
