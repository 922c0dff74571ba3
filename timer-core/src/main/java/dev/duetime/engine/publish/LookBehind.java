package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision to read once behind a full read of which nothing got through, before the loop backs off. More poison of
 * one tenant and type than a read takes must not hide the other timers. Each such read begins further back. At the end
 * of the backlog the next one starts from the beginning. Used by one thread.
 */
final class LookBehind {
    private @Nullable Instant from;
    private Instant reached = Instant.MIN;
    private Instant backOffUntil = Instant.MIN;

    /** Returns where the next read begins; null if it should not look behind. */
    @Nullable
    Instant from() {
        return from;
    }

    /**
     * Notes the result of a read.
     *
     * @param backOff until when the delivery asks the loop to back off; {@link Instant#MIN} unless nothing got through
     * @return until when the loop backs off
     */
    Instant after(DueTimers read, Instant backOff) {
        boolean isOutage = !backOff.equals(Instant.MIN);
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        if (from == null) {
            if (isOutage && read.more() && last != null) {
                from = Times.later(last, reached);
                backOffUntil = backOff;
                return Instant.MIN;
            }
            return backOff;
        }
        from = null;
        if (!isOutage && !timers.isEmpty()) {
            reached = Instant.MIN;
            return Instant.MIN;
        }
        reached = read.more() && last != null ? last : Instant.MIN;
        return isOutage ? backOff : backOffUntil;
    }
}
