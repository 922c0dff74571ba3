package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The decision to read once behind a full read of which nothing got through, before the loop backs off. More poison of
 * one tenant and type than a read takes must not hide the other timers. Each such read begins further back. At the end
 * of the backlog the next one starts from the beginning. Used by one thread.
 *
 * <p>A read cannot begin in the middle of an instant. If more poison than a read takes is due at one instant, a read of
 * that instant leaves out the tenants of the poison, and the next read begins behind the instant.
 */
final class LookBehind {
    /** Bounds the statement. The poison of more tenants looks like an outage. */
    private static final int MOST_TENANTS = 100;

    /** Where the next read begins; null if it should not look behind. */
    private @Nullable Look look;

    /** Where the next read behind begins, unless the read before it gets further; null for the beginning. */
    private @Nullable Look next;

    private Instant backOffUntil = Instant.MIN;

    /**
     * A read that begins behind timers which were read already.
     *
     * @param to the last instant that it reads
     * @param but the poison at one instant, which it leaves out
     */
    record Look(Instant from, Instant to, Exclusion but) {
        private static Look from(Instant from) {
            return new Look(from, Instant.MAX, Exclusion.NONE);
        }

        /** Returns a look at one instant that leaves out the tenants of the timers, and those left out before. */
        private static Look within(Instant instant, List<StoredTimer> poison, Exclusion before) {
            Set<String> tenants = Stream.of(
                            before.tenants(),
                            poison.stream().map(each -> each.key().tenantId()).toList())
                    .flatMap(Collection::stream)
                    .distinct()
                    .limit(MOST_TENANTS)
                    .collect(Collectors.toSet());
            return new Look(instant, instant, new Exclusion(Set.of(), tenants, Integer.MAX_VALUE));
        }

        private boolean isWithinAnInstant() {
            return from.equals(to);
        }
    }

    /** Returns what the next read is; null if it should not look behind. */
    @Nullable
    Look look() {
        return look;
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
        Instant end = read.more() ? last : null;
        Look done = look;
        if (done == null) {
            if (isOutage && end != null) {
                look = behind(timers, end);
                backOffUntil = backOff;
                return Instant.MIN;
            }
            return backOff;
        }
        look = null;
        if (!isOutage && !timers.isEmpty()) {
            next = null;
            return Instant.MIN;
        }
        next = following(done, timers, end);
        return isOutage ? backOff : backOffUntil;
    }

    private Look behind(List<StoredTimer> timers, Instant end) {
        if (next != null && !next.from().isBefore(end)) {
            return next;
        }
        return end.equals(timers.get(0).wakeAt()) ? Look.within(end, timers, Exclusion.NONE) : Look.from(end);
    }

    /**
     * Returns the look that follows one which found nothing to deliver.
     *
     * @param end where that one ended; null if it reached the end of what is due
     */
    private static @Nullable Look following(Look done, List<StoredTimer> timers, @Nullable Instant end) {
        if (done.isWithinAnInstant()) {
            Look again = Look.within(done.from(), timers, done.but());
            boolean leavesOutMore = !again.but().equals(done.but());
            return end != null && leavesOutMore ? again : Look.from(done.from().plus(1, ChronoUnit.MICROS));
        }
        if (end == null) {
            return null;
        }
        return end.equals(done.from()) ? Look.within(end, timers, Exclusion.NONE) : Look.from(end);
    }
}
