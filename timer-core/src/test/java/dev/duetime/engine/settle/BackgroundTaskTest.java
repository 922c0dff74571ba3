package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoreException;
import dev.duetime.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final BackgroundTask<Integer> beside = new BackgroundTask<>(new SystemClock(), "beside-test");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    private int hang() throws InterruptedException {
        begun.countDown();
        while (true) {
            try {
                assertThat(over.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                return 1;
            } catch (InterruptedException e) {
                // As a driver that waits for its server.
                assertThat(e).isNotNull();
            }
        }
    }

    @Test
    void theWorkRunsOnTheBackgroundThreadOrOnTheWaitingOne() {
        List<String> threads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            beside.begin(() -> {
                threads.add(Thread.currentThread().getName());
                return number;
            });
            assertThat(beside.isUnderWay()).isTrue();
            assertThat(beside.await()).isEqualTo(number);
            assertThat(beside.isUnderWay()).isFalse();
        }
        assertThat(beside.close(LONG)).isTrue();
        assertThat(threads)
                .hasSize(1_000)
                .containsAnyOf("beside-test", Thread.currentThread().getName());
    }

    @Test
    void aFailureIsThrownToTheWaitingThread() {
        StoreException failure = new StoreException("settle", "a batch", new IllegalStateException());
        beside.begin(() -> {
            throw failure;
        });

        assertThatThrownBy(beside::await).isSameAs(failure);
        assertThat(beside.isUnderWay()).isFalse();
        assertThat(beside.close(LONG)).isTrue();
    }

    @Test
    void afterCloseTheWaitingThreadRunsTheWork() {
        assertThat(beside.close(Duration.ZERO)).isTrue();
        beside.begin(() -> 7);

        assertThat(beside.await()).isEqualTo(7);
    }

    @Test
    void closingAndWaitingEndAlthoughTheWorkHangs() throws InterruptedException {
        beside.begin(this::hang);
        assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(beside.close(Duration.ofMillis(1))).isFalse();
        assertThatThrownBy(beside::await).isInstanceOf(StoreException.class);
        assertThat(beside.isUnderWay()).isTrue();

        over.countDown();
        assertThat(beside.close(LONG)).isTrue();
        assertThat(beside.await()).isEqualTo(1);
    }
}
