package dev.duetime.engine.publish;

import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.loop.LoopParts;
import java.time.Instant;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The decision whether a timer may still be published. Thread-safe. */
final class PublishRights {
    private final LoopParts parts;
    private final BooleanSupplier closing;

    PublishRights(LoopParts parts, BooleanSupplier closing) {
        this.parts = parts;
        this.closing = closing;
    }

    /** Returns whether a call of the publisher may begin. It may not after a pause or a close has begun. */
    boolean mayBegin() {
        return !closing.getAsBoolean() && !parts.pause().isPaused();
    }

    /** Returns the parcels that may be published now: not expired, and of a shard that the node still owns. */
    Predicate<Parcel> now(Supplier<Set<Integer>> stillOwned) {
        if (!mayBegin()) {
            return each -> false;
        }
        Instant now = parts.clock().now();
        Set<Integer> owned = stillOwned.get();
        return each ->
                !each.timer().isExpired(now) && owned.contains(each.timer().shard());
    }
}
