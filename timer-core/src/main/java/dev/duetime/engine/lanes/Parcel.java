package dev.duetime.engine.lanes;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import org.jspecify.annotations.Nullable;

/**
 * A due timer, the envelope that is published for it, and the lane that bears the cost if it fails.
 *
 * @param lane the lane of the timer, or that of an earlier timer with the same parallel key
 */
public record Parcel(StoredTimer timer, Envelope envelope, Lane lane) {

    public String id() {
        return envelope.id();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parcel parcel && id().equals(parcel.id());
    }

    @Override
    public int hashCode() {
        return id().hashCode();
    }

    /**
     * The timers that share the cost of failing deliveries: those of one tenant and type. Retries are in another lane
     * than timers that have not failed yet. So a few timers that always fail do not slow down the others of their
     * tenant and type.
     */
    public record Lane(String tenantId, String type, boolean isRetry) {

        /** Returns the lane of retries of the same timers. */
        public Lane ofRetries() {
            return new Lane(tenantId, type, true);
        }

        public static Lane of(StoredTimer timer) {
            return new Lane(
                    timer.key().tenantId(), timer.content().type(), timer.failure() != null && timer.attempt() > 0);
        }
    }
}
