package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that a thread factory which fails once, whenever that is, stops no queue. */
class ThreadFactoryTest {
    private static final int TIMERS = 6;

    /** More than a node with one queue starts. */
    private static final int THREADS = 14;

    private enum How {
        RETURNS_NULL,
        THROWS,
        OUT_OF_MEMORY
    }

    /** Fails once, at the thread with this number. */
    private record FailsOnce(int at, How how, AtomicInteger threads) implements ThreadFactory {
        @Override
        @SuppressWarnings("NullAway") // That is what the test is about.
        public @Nullable Thread newThread(Runnable body) {
            if (threads.getAndIncrement() == at) {
                switch (how) {
                    case RETURNS_NULL -> {
                        return null;
                    }
                    case THROWS -> throw new IllegalStateException("no more threads");
                    case OUT_OF_MEMORY -> throw new OutOfMemoryError("unable to create native thread");
                }
            }
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        }
    }

    private static void delivers(FailsOnce factory) throws InterruptedException {
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(TIMERS);
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(new SystemClock()))
                .threadFactory(factory)
                .concurrency(3)
                .pollInterval(Duration.ofMillis(100))
                .publisher(batch -> batch.forEach(each -> {
                    if (delivered.add(each.key().timerId())) {
                        all.countDown();
                    }
                }))
                .build()) {
            start(scheduler);
            for (int i = 0; i < TIMERS; i++) {
                scheduler.schedule(Timer.after("t-" + i, Duration.ZERO).build());
            }
            assertThat(all.await(30, TimeUnit.SECONDS))
                    .as("delivered with %s", factory)
                    .isTrue();
        }
    }

    /** A start that fails half-way can be repeated. */
    private static void start(Scheduler scheduler) {
        try {
            scheduler.start();
        } catch (IllegalStateException | OutOfMemoryError e) {
            scheduler.start();
        }
    }

    /** Its first thread would send a hint to the nodes that deliver. */
    @ParameterizedTest
    @CsvSource({"RETURNS_NULL", "THROWS", "OUT_OF_MEMORY"})
    void aNodeThatOnlySchedulesNeedsNoThread(How how) {
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(new SystemClock()))
                .threadFactory(new FailsOnce(0, how, new AtomicInteger()))
                .build()) {
            ScheduleResult result =
                    scheduler.schedule(Timer.after("a", Duration.ZERO).build());
            assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        }
    }

    @ParameterizedTest
    @CsvSource({"RETURNS_NULL", "THROWS", "OUT_OF_MEMORY"})
    void aFactoryThatFailsOnceStopsNoQueue(How how) throws InterruptedException {
        for (int at = 0; at < THREADS; at++) {
            delivers(new FailsOnce(at, how, new AtomicInteger()));
        }
    }
}
