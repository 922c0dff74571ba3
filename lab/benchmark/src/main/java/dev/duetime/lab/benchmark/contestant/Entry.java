package dev.duetime.lab.benchmark.contestant;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * One timer to schedule. Keys are random, as keys of users are. The payload is already encoded for all contestants, so
 * that no JSON is measured.
 *
 * @param id its key
 * @param dueAt when it is due, in whole microseconds
 */
public record Entry(String id, Instant dueAt) {
    static final String TENANT = "acme";
    static final String PAYLOAD =
            "{\"orderId\":4711,\"reason\":\"payment timeout\",\"customer\":\"c-0815\",\"amount\":\"129.90\"}";
    static final byte[] PAYLOAD_BYTES = PAYLOAD.getBytes(StandardCharsets.UTF_8);

    private static final SplittableRandom RANDOM = new SplittableRandom();

    /** Returns timers that are due at an instant, or at random during a while from then on. */
    public static List<Entry> list(int count, Instant from, Duration during) {
        List<Entry> entries = new ArrayList<>(count);
        long micros = during.toNanos() / 1_000;
        synchronized (RANDOM) {
            for (int i = 0; i < count; i++) {
                long offset = micros == 0 ? 0 : RANDOM.nextLong(micros);
                String id = new UUID(RANDOM.nextLong(), RANDOM.nextLong()).toString();
                entries.add(new Entry(id, from.truncatedTo(ChronoUnit.MICROS).plus(offset, ChronoUnit.MICROS)));
            }
        }
        return entries;
    }

    long dueMicros() {
        return Math.addExact(Math.multiplyExact(dueAt.getEpochSecond(), 1_000_000L), dueAt.getNano() / 1_000);
    }
}
