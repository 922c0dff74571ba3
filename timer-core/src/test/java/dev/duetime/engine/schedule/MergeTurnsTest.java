package dev.duetime.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.store.CollisionException;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MergeTurnsTest {
    private final MergeTurns turns = new MergeTurns();

    private MergeTurns.Turn await(String... keys) {
        return turns.await(new TreeSet<>(List.of(keys)));
    }

    private CompletableFuture<Void> inAnotherThread(CountDownLatch began, String... keys) {
        return CompletableFuture.runAsync(() -> {
            began.countDown();
            await(keys).close();
        });
    }

    @Test
    void aCallWaitsForItsOwnKeysOnly() {
        MergeTurns.Turn turn = await("a");
        inAnotherThread(new CountDownLatch(1), "b", "c").join();
        turn.close();
    }

    @Test
    void theNextCallBeginsWhenTheTurnEnds() throws InterruptedException {
        MergeTurns.Turn turn = await("a", "b");
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Void> next = inAnotherThread(began, "b", "c");
        began.await();
        assertThat(next).isNotDone();
        turn.close();
        next.join();
    }

    @Test
    void aCallWithinACallHasItsTurn() {
        MergeTurns.Turn turn = await("a");
        await("a").close();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a").join();
    }

    @Test
    void anInterruptEndsTheWaitWithACollision() {
        MergeTurns.Turn turn = await("b");
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> await("a", "b")).isInstanceOf(CollisionException.class);
            return Thread.interrupted();
        });
        assertThat(interrupted.join()).isTrue();
        turn.close();
        inAnotherThread(new CountDownLatch(1), "a", "b").join();
    }
}
