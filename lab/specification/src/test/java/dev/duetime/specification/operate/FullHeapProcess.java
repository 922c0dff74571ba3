package dev.duetime.specification.operate;

import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.admin.Health;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The program of a node whose heap is full for some seconds while timers are due, first many at once and then one after
 * the other. Several calls run at once, within a limit. It exits with 0 if all were delivered.
 */
final class FullHeapProcess {
    private static final int TIMERS = 300;
    private static final int AT_ONCE = 2_000;
    private static final long FULL_NANOS = Duration.ofSeconds(4).toNanos();

    private FullHeapProcess() {}

    /** Runs the program. */
    public static void main(String[] args) throws InterruptedException {
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(1);
        SystemClock clock = new SystemClock();
        Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .publisher(batch -> batch.forEach(each -> {
                    // The call may throw although the set has added the timer. So only the size of the set counts.
                    delivered.add(each.key().timerId());
                    if (delivered.size() == TIMERS + AT_ONCE) {
                        all.countDown();
                    }
                }))
                .queue("default", queue -> queue.concurrency(4).concurrencyLimit(1_000))
                .build();
        for (int i = 0; i < AT_ONCE; i++) {
            scheduler.schedule(Timer.after("at-once-" + i, Duration.ZERO).build());
        }
        for (int i = 0; i < TIMERS; i++) {
            scheduler.schedule(Timer.after("t-" + i, Duration.ofMillis(30L * i)).build());
        }
        scheduler.start();
        fillTheHeap();
        all.await();
        Health health = scheduler.admin().health();
        Runtime.getRuntime().halt(health.running() ? 0 : 2);
    }

    private static void fillTheHeap() {
        Object hoard = null;
        long began = System.nanoTime();
        int size = 1 << 20;
        while (System.nanoTime() - began < FULL_NANOS) {
            try {
                hoard = new Object[] {hoard, new byte[size]};
            } catch (OutOfMemoryError e) {
                size = Math.max(16, size / 2);
            }
        }
        if (hoard == null) {
            throw new IllegalStateException("the heap was full before the first allocation");
        }
    }
}
