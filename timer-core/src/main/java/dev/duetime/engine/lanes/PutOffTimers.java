package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.loop.DeliveryOrder;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The timers with a parallel key that were put off without a try. Later timers of the key and tenant wait until these
 * have been tried. A timer that has failed is not among them: others overtake it. Nor does a tenant wait for another
 * one, whose lane may fail for long.
 *
 * <p>Time alone does not tell whether a timer waits: a read that began before the put-off timer was due does not show
 * it, although it may be due when the read ends, and in a backlog reads come to it late. It was cancelled, or another
 * node has it, once a read did not show it that should have. Used by one thread.
 */
public final class PutOffTimers {
    /** Bounds memory; beyond it none is added. */
    private static final int MOST_REMEMBERED = 10_000;

    /** After so many timers that were not added, a read shows whether some of the others are gone. */
    private static final int LOOK_AFTER = 1_000;

    /** Until the new time is certainly written. */
    private static final Duration WRITING = Duration.ofSeconds(1);

    private static final Duration TICK = Duration.ofMillis(1);

    private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

    private final Map<TimerKey, PutOff> all = new LinkedHashMap<>();

    /** How many timers were not added, because too many are remembered. */
    private int leftOut;

    /** Whether timers wait for one that reads should show, and do not; or whether there is no room for more. */
    private boolean seemsGone;

    private final Map<TenantKey, NavigableMap<DeliveryOrder.Place, PutOff>> byKey = new HashMap<>();

    private record PutOff(TenantKey parallelKey, String type, DeliveryOrder.Place place, Instant until) {
        boolean isCertainlyDue(Instant now) {
            return !until.plus(WRITING).isAfter(now);
        }

        boolean mayBeOf(Exclusion but) {
            String key = parallelKey.parallelKey();
            return but.parallelKeys().contains(key)
                    || but.types().contains(type)
                    || but.tenants().contains(parallelKey.tenant())
                    || (!but.only().isEmpty() && !but.only().contains(key));
        }
    }

    /** Adds a timer, if others must wait for it. */
    public void add(StoredTimer timer, Instant until) {
        TenantKey key = TenantKey.of(timer);
        if (key == null || Lane.of(timer).isRetry()) {
            return;
        }
        forget(timer.key());
        if (all.size() >= MOST_REMEMBERED) {
            // Not one of those that are remembered: others wait for these.
            seemsGone |= ++leftOut % LOOK_AFTER == 0;
            return;
        }
        PutOff added = new PutOff(key, timer.content().type(), DeliveryOrder.Place.of(timer), until);
        all.put(timer.key(), added);
        byKey.computeIfAbsent(key, first -> new TreeMap<>()).put(added.place(), added);
    }

    /** Forgets a timer: it has an outcome, or is put off anew. */
    public void forget(TimerKey timer) {
        PutOff known = all.isEmpty() ? null : all.get(timer);
        if (known != null) {
            removeFromKey(known);
            all.remove(timer);
        }
    }

    /** Returns the lane of the timer for which a timer waits; null if it waits for none. */
    public @Nullable Lane laneBefore(StoredTimer timer) {
        TenantKey key = all.isEmpty() ? null : TenantKey.of(timer);
        NavigableMap<DeliveryOrder.Place, PutOff> ofKey = key == null ? null : byKey.get(key);
        Map.Entry<DeliveryOrder.Place, PutOff> first = ofKey == null ? null : ofKey.firstEntry();
        return first != null && first.getKey().compareTo(DeliveryOrder.Place.of(timer)) < 0
                ? new Lane(timer.key().tenantId(), first.getValue().type(), false)
                : null;
    }

    /** Needs no memory: nothing may be left there that nobody removes any more. */
    private void removeFromKey(PutOff known) {
        NavigableMap<DeliveryOrder.Place, PutOff> ofKey = byKey.get(known.parallelKey());
        if (ofKey != null) {
            ofKey.remove(known.place());
            if (ofKey.isEmpty()) {
                byKey.remove(known.parallelKey());
            }
        }
    }

    /** Takes the request for a read of all due timers, which tells whether one that others wait for is gone. */
    public boolean takeSeemsGone() {
        boolean seems = seemsGone;
        seemsGone = false;
        return seems;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns a time after all earlier timers of its parallel key that are put off. */
    public Instant after(StoredTimer timer, Instant now) {
        Instant until = turn(Set.of(), now).waitsFor(timer);
        return until == null ? now.plus(TICK) : until;
    }

    /**
     * Begins a turn.
     *
     * @param inTurn the timers that are in their turn now, or in a call: nobody waits for these
     */
    public Turn turn(Set<TimerKey> inTurn, Instant now) {
        return new Turn(inTurn, now);
    }

    /** A turn of the loop, in which timers come in their order. If one waits, so do all later ones of its key. */
    public final class Turn {
        private final Set<TimerKey> inTurn;
        private final Instant now;
        private final Map<TenantKey, Optional<PutOff>> awaited = new HashMap<>();

        private Turn(Set<TimerKey> inTurn, Instant now) {
            this.inTurn = inTurn;
            this.now = now;
        }

        /**
         * Returns until when a timer must wait for an earlier one of its parallel key that is put off; null if it need
         * not wait.
         */
        public @Nullable Instant waitsFor(StoredTimer timer) {
            TenantKey key = all.isEmpty() ? null : TenantKey.of(timer);
            if (key == null) {
                return null;
            }
            PutOff first = awaited.computeIfAbsent(key, this::firstAwaited).orElse(null);
            DeliveryOrder.Place place = DeliveryOrder.Place.of(timer);
            if (first == null || first.place().compareTo(place) >= 0) {
                return null;
            }
            seemsGone |= first.isCertainlyDue(now);
            return nextLook(Times.later(first.until(), untilOfNearest(key, place)));
        }

        /** The nearest one waits for the first, too: a timer need not be read before that one is. */
        private Instant untilOfNearest(TenantKey key, DeliveryOrder.Place place) {
            NavigableMap<DeliveryOrder.Place, PutOff> ofKey = byKey.get(key);
            Map.Entry<DeliveryOrder.Place, PutOff> nearest = ofKey == null ? null : ofKey.lowerEntry(place);
            return nearest == null ? Instant.MIN : nearest.getValue().until();
        }

        private Optional<PutOff> firstAwaited(TenantKey key) {
            NavigableMap<DeliveryOrder.Place, PutOff> ofKey = byKey.get(key);
            return ofKey == null
                    ? Optional.empty()
                    : ofKey.values().stream()
                            .filter(each -> !inTurn.contains(each.place().key()))
                            .findFirst();
        }

        /** Returns a time after the other one's. The longer that one is missing, the more rarely it is looked for. */
        private Instant nextLook(Instant until) {
            Duration missing = Duration.between(until, now);
            Duration wait = missing.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : missing;
            return missing.isNegative() ? until.plus(TICK) : now.plus(wait.compareTo(TICK) < 0 ? TICK : wait);
        }
    }

    /**
     * Forgets the timers that a read did not show although they must be due.
     *
     * @param shown the timers that it showed, or would have shown if they were not being delivered or written
     * @param from where it began
     * @param to the time before which it showed all
     * @param but what it left out
     */
    public void forgetUnlessShown(Set<TimerKey> shown, Instant from, Instant to, Exclusion but) {
        if (!to.isAfter(from)) {
            return;
        }
        Instant end = to.minus(TICK);
        Iterator<Map.Entry<TimerKey, PutOff>> each = all.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<TimerKey, PutOff> entry = each.next();
            PutOff timer = entry.getValue();
            boolean isInRange = !timer.until().isBefore(from) && timer.until().isBefore(end);
            if (isInRange && !timer.mayBeOf(but) && !shown.contains(entry.getKey())) {
                removeFromKey(timer);
                each.remove();
            }
        }
    }
}
