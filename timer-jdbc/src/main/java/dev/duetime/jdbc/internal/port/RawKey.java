package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.internal.CodePointOrder;
import dev.duetime.jdbc.internal.row.TimerRows;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A key as it is stored, which need not be a valid one. */
record RawKey(String tenantId, String timerId, String scope) {
    /** The order in which statements return rows. */
    static final Comparator<RawKey> ORDER = Comparator.comparing(RawKey::tenantId, CodePointOrder::compare)
            .thenComparing(RawKey::timerId, CodePointOrder::compare)
            .thenComparing(RawKey::scope, CodePointOrder::compare);

    static @Nullable RawKey of(@Nullable TimerKey key) {
        return key == null ? null : new RawKey(key.tenantId(), key.timerId(), key.scope());
    }

    /** Returns the key; null if it is not a valid one. */
    @Nullable
    TimerKey key() {
        return TimerRows.keyOrNull(tenantId, timerId, scope);
    }
}
