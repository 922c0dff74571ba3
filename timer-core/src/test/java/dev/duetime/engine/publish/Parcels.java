package dev.duetime.engine.publish;

import dev.duetime.JacksonCodec;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.internal.timer.StoredTimers;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parcels of due timers for tests. */
final class Parcels {
    private Parcels() {}

    static Parcel of(String tenant, String id) {
        StoredTimer timer = timer(TimerKey.of(tenant, id), null, Instant.EPOCH);
        return new Parcel(
                timer, StoredTimers.envelope(timer, 1, Instant.EPOCH, JacksonCodec.standard()), Parcel.Lane.of(timer));
    }

    static StoredTimer keyed(String parallelKey, String id, Instant dueAt) {
        return timer(TimerKey.of(id), parallelKey, dueAt);
    }

    private static StoredTimer timer(TimerKey key, @Nullable String parallelKey, Instant dueAt) {
        TimerContent content = new TimerContent(
                "default", dueAt, null, "timer", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(key, 0, content, TimerState.SCHEDULED, 1, 0, dueAt, Instant.EPOCH, null, null, null);
    }
}
