package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of virtual threads, where the JVM has them, and of the error where it has none. */
class VirtualThreadsTest {
    private static final boolean PRESENT = Runtime.version().feature() >= 21;

    @Test
    void publishersAreCalledInVirtualThreadsOrTheErrorNamesTheVersion() throws Exception {
        if (!PRESENT) {
            assertThatThrownBy(() -> Scheduler.builder().virtualThreads())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("virtualThreads must run on Java 21 or later but runs on "
                            + Runtime.version().feature());
            return;
        }
        CompletableFuture<Thread> caller = new CompletableFuture<>();
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(new SystemClock()))
                .virtualThreads()
                .concurrency(2)
                .publisher(batch -> caller.complete(Thread.currentThread()))
                .build()) {
            scheduler.start();
            scheduler.schedule(Timer.after("a", Duration.ZERO).build());

            Thread thread = caller.get(30, TimeUnit.SECONDS);
            assertThat((boolean) Thread.class.getMethod("isVirtual").invoke(thread))
                    .isTrue();
        }
    }
}
