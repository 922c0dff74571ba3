package dev.duetime.lab.benchmark.scenario.call;

import dev.duetime.Payload;
import dev.duetime.TimerContent;
import java.time.Instant;
import java.util.Map;

/** The contents of timers that the measured calls schedule. */
final class Contents {
    private static final Payload PAYLOAD = Payload.of(new byte[100]);

    private Contents() {}

    static TimerContent plain(String queue, Instant dueAt) {
        return new TimerContent(queue, dueAt, null, "type-3", PAYLOAD, Map.of(), 0, null, null, null, null, null, null);
    }
}
