package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
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
import java.util.stream.IntStream;

/**
 * The program of a node that schedules a backlog of large payloads, or of large headers, and then delivers it. The exit
 * code is 0 if it could.
 */
final class HeavyBacklogProcess {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int PAYLOADS = 160;

    /** More than a batch. */
    private static final int WITH_HEADERS = 600;

    private static final int HEADERS = 64;
    private static final int HEADER_LENGTH = 4096;
    private static final int TOGETHER = 10;

    private HeavyBacklogProcess() {}

    /** Runs the program on the database of a URL; with headers if there is a second argument. */
    public static void main(String[] args) throws InterruptedException {
        boolean headers = args.length > 1;
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        int timers = headers ? WITH_HEADERS : PAYLOADS;
        CountDownLatch all = new CountDownLatch(timers);
        HikariDataSource pool = FreshDatabases.pool(args[0]);
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .publisher(batch -> batch.forEach(each -> {
                    if (isWhole(each, headers) && delivered.add(each.key().timerId())) {
                        all.countDown();
                    }
                }))
                .build();
        for (int i = 0; i < timers; i += TOGETHER) {
            if (headers) {
                scheduler.scheduleAll(IntStream.range(i, i + TOGETHER)
                        .mapToObj(HeavyBacklogProcess::withHeaders)
                        .toList());
            } else {
                IntStream.range(i, i + TOGETHER).forEach(number -> scheduler.schedule(withPayload(number)));
            }
        }
        scheduler.start();
        all.await();
        Runtime.getRuntime().halt(0);
    }

    private static boolean isWhole(Envelope envelope, boolean headers) {
        return headers
                ? envelope.headers().size() == HEADERS
                        && envelope.headers().values().stream().allMatch(each -> each.length() == HEADER_LENGTH)
                : envelope.event().payload().size() == MEBIBYTE;
    }

    /** A JSON string. A payload that is not JSON becomes larger when it is published. */
    private static Timer withPayload(int number) {
        byte[] bytes = new byte[MEBIBYTE];
        Arrays.fill(bytes, (byte) ('a' + number % 26));
        bytes[0] = '"';
        bytes[MEBIBYTE - 1] = '"';
        return timer(number).payload(Payload.of(bytes)).build();
    }

    private static Timer withHeaders(int number) {
        Timer.Builder timer = timer(number);
        String value = Character.toString('a' + number % 26).repeat(HEADER_LENGTH);
        for (int i = 0; i < HEADERS; i++) {
            timer.header("h" + i, value);
        }
        return timer.build();
    }

    private static Timer.Builder timer(int number) {
        return Timer.at("t-" + number, Instant.EPOCH.plusSeconds(number));
    }
}
