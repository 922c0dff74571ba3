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
            turns.await(key).close();
        });
    }

    @Test
    void aCallWaitsForItsOwnKeyOnly() {
        MergeTurns.Turn turn = turns.await("a");
        inAnotherThread(new CountDownLatch(1), "b").join();
        turn.close();
    }

    @Test
    void theNextCallBeginsWhenTheTurnEnds() throws InterruptedException {
        MergeTurns.Turn turn = turns.await("a");
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Void> next = inAnotherThread(began, "a");
        began.await();
        assertThat(next).isNotDone();
        turn.close();
        next.join();
    }

    @Test
    void aCallWithinACallHasItsTurn() {
        MergeTurns.Turn turn = turns.await("a");
        turns.await("a").close();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a").join();
    }

    @Test
    void anInterruptEndsTheWaitWithACollisionButTakesAFreeTurn() {
        MergeTurns.Turn turn = turns.await("a");
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().interrupt();
            turns.await("b").close();
            assertThatThrownBy(() -> turns.await("a")).isInstanceOf(CollisionException.class);
            return Thread.interrupted();
        });
        assertThat(interrupted.join()).isTrue();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a").join();
    }
}
