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

/** Parcels of due timers for tests. */
final class Parcels {
    private Parcels() {}

    static Parcel of(String tenant, String id) {
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        StoredTimer timer = new StoredTimer(
                TimerKey.of(tenant, id),
                0,
                content,
                TimerState.SCHEDULED,
                1,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null);
        return new Parcel(
                timer, StoredTimers.envelope(timer, 1, Instant.EPOCH, JacksonCodec.standard()), Parcel.Lane.of(timer));
    }
}
