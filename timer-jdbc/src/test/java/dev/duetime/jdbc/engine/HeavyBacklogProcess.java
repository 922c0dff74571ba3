package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The program of a node that schedules a backlog of large payloads and then delivers it. The exit code is 0 if it
 * could.
 */
final class HeavyBacklogProcess {
    static final int TIMERS = 160;
    private static final int MEBIBYTE = 1024 * 1024;

    private HeavyBacklogProcess() {}

    /** Runs the program on the database of a URL. */
    public static void main(String[] args) throws InterruptedException {
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(TIMERS);
        HikariDataSource pool = FreshDatabases.pool(args[0]);
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .publisher(batch -> batch.forEach(each -> {
                    boolean whole = each.event().payload().size() == MEBIBYTE;
                    if (whole && delivered.add(each.key().timerId())) {
                        all.countDown();
                    }
                }))
                .build();
        byte[] bytes =
                new byte[MEBIBYTE]; // A JSON string. A payload that is not JSON becomes larger when it is published.
        bytes[0] = '"';
        bytes[MEBIBYTE - 1] = '"';
        for (int i = 0; i < TIMERS; i++) {
            Arrays.fill(bytes, 1, MEBIBYTE - 1, (byte) ('a' + i % 26));
            scheduler.schedule(Timer.at("t-" + i, Instant.EPOCH.plusSeconds(i))
                    .payload(Payload.of(bytes))
                    .build());
        }
        scheduler.start();
        all.await();
        Runtime.getRuntime().halt(0);
    }
}
