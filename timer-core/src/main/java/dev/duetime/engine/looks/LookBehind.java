package dev.duetime.engine.looks;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
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
 *
 * <p>Timers of one parallel key keep their order: the keys of timers that did not get through are left out.
 */
public final class LookBehind {
    /** Bounds the statement. The poison of more tenants looks like an outage. */
    private static final int MOST_TENANTS = 100;

    /** Likewise for parallel keys. */
    private static final int MOST_KEYS = 1_000;

    /** Where the next read begins; null if it should not look behind. */
    private @Nullable Look look;

    /** Where the next read behind begins, unless the read before it gets further; null for the beginning. */
    private @Nullable Look next;

    private Instant backOffUntil = Instant.MIN;

    /** Whether a call with what the last look has found runs beside the loop: if it fails, the loop backs off. */
    private boolean isUnderWay;

    /**
     * A read that begins behind timers which were read already.
     *
     * @param to the last instant that it reads
     * @param but the poison at one instant, which it leaves out, and the parallel keys of what was read before it
     */
    public record Look(Instant from, Instant to, Exclusion but) {
        private static Look from(Instant from, Set<String> keys) {
            return new Look(from, Instant.MAX, new Exclusion(keys, Set.of(), Integer.MAX_VALUE));
        }

        /** Returns a look at one instant that leaves out the tenants of the timers, and those left out before. */
        private static Look within(Instant instant, List<StoredTimer> poison, Set<String> before, Set<String> keys) {
            Set<String> tenants = Stream.of(
                            before,
                            poison.stream().map(each -> each.key().tenantId()).toList())
                    .flatMap(Collection::stream)
                    .distinct()
                    .limit(MOST_TENANTS)
                    .collect(Collectors.toSet());
            return new Look(instant, instant, new Exclusion(keys, tenants, Integer.MAX_VALUE));
        }

        /** Returns the parallel keys that this look leaves out, and those of more timers. */
        private Set<String> keysAnd(List<StoredTimer> timers) {
            Set<String> keys = keys(timers);
            keys.addAll(but.parallelKeys());
            return keys;
        }

        private Look without(Set<String> keys) {
            return new Look(from, to, new Exclusion(keys, but.tenants(), Integer.MAX_VALUE));
        }

        private boolean isWithinAnInstant() {
            return from.equals(to);
        }
    }

    private static Set<String> keys(List<StoredTimer> timers) {
        Set<String> keys = new HashSet<>();
        for (StoredTimer each : timers) {
            String key = each.content().parallelKey();
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Returns what the next read is; null if it should not look behind. */
    public @Nullable Look look() {
        return look;
    }

    /**
     * Notes the result of a read.
     *
     * @param leftOut the parallel keys that it left out
     * @param backOff until when the delivery asks the loop to back off; {@link Instant#MIN} unless nothing got through
     * @param hasBegun whether a call with what was read runs beside the loop: what it gets through is not known yet
     * @param isAway whether nothing has got through since the publisher failed
     * @return until when the loop backs off
     */
    public Instant after(DueTimers read, Set<String> leftOut, Instant backOff, boolean hasBegun, boolean isAway) {
        boolean isOutage = !backOff.equals(Instant.MIN);
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        Instant end = read.more() ? last : null;
        Look done = look;
        if (done == null) {
            if (isUnderWay && (isOutage || !isAway)) {
                isUnderWay = false;
                next = isOutage ? next : null;
                return backOff;
            }
            look = isOutage && end != null ? behind(timers, leftOut, end) : null;
            backOffUntil = backOff;
            return look == null ? backOff : Instant.MIN;
        }
        look = null;
        isUnderWay = hasBegun && !isOutage;
        if (!isOutage && !hasBegun && !timers.isEmpty()) {
            next = null;
            return Instant.MIN;
        }
        next = following(done, timers, end);
        return isUnderWay || isOutage ? backOff : backOffUntil;
    }

    private @Nullable Look behind(List<StoredTimer> timers, Set<String> leftOut, Instant end) {
        Look further = next != null && !next.from().isBefore(end) ? next : null;
        Set<String> keys = further == null ? keys(timers) : further.keysAnd(timers);
        keys.addAll(leftOut);
        if (keys.size() > MOST_KEYS) {
            next = null;
            return null;
        }
        if (further != null) {
            return further.without(keys);
        }
        return end.equals(timers.get(0).wakeAt()) ? Look.within(end, timers, Set.of(), keys) : Look.from(end, keys);
    }

    /**
     * Returns the look that follows one which found nothing to deliver.
     *
     * @param end where that one ended; null if it reached the end of what is due
     */
    private static @Nullable Look following(Look done, List<StoredTimer> timers, @Nullable Instant end) {
        Set<String> keys = done.keysAnd(timers);
        if (done.isWithinAnInstant()) {
            Look again = Look.within(done.from(), timers, done.but().tenants(), keys);
            boolean leavesOutMore = !again.but().tenants().equals(done.but().tenants());
            return end != null && leavesOutMore ? again : Look.from(done.from().plus(1, ChronoUnit.MICROS), keys);
        }
        if (end == null) {
            return null;
        }
        return end.equals(done.from()) ? Look.within(end, timers, Set.of(), keys) : Look.from(end, keys);
    }
}
