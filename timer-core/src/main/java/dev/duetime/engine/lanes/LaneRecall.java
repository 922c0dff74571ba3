package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.internal.Micros;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The timers that were put off because a lane fails. Once the lane works again they are called back, so that they do not
 * wait for the times that they were given while it failed. Each turn calls back a few, and twice as many as got through
 * in it. So a lane that begins to fail again costs few writes. While it fails, some come in time for its next try. Used
 * by one thread.
 */
public final class LaneRecall {
    /** Bounds memory; those beyond it come at their times. */
    private static final int MOST_REMEMBERED = 10_000;

    private static final int FIRST_CALLED_BACK = 16;

    /** So many come in time for the next try of a lane that fails. */
    private static final int TRIED_NEXT = 4;

    /** After so many timers that were not added, those that are gone are forgotten. */
    private static final int LOOK_AFTER = 1_000;

    /** No timer is put off for longer. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /** What comes within this time is not worth a write. */
    private static final Duration SOON = Duration.ofMillis(250);

    /** The fractions of its multiples are spread evenly between 0 and 1. */
    private static final double GOLDEN = 0.6180339887;

    private final Map<Lane, NavigableSet<PutOff>> byLane = new LinkedHashMap<>();
    private final Map<TimerKey, PutOff> all = new HashMap<>();

    /** Those of whom it was decided that they come sooner, and when. */
    private final Map<PutOff, Instant> calledBack = new LinkedHashMap<>();

    private long added;

    /** How many timers were not added, because too many are remembered. */
    private int leftOut;

    /** Where in a lane to look for some timer: from 0 to 1. */
    private double part;

    private record PutOff(
            TimerKey key, Lane lane, int shard, long generation, int attempt, Instant until, long number) {
        PutOff at(Instant other) {
            return new PutOff(key, lane, shard, generation, attempt, other, 0);
        }
    }

    /** Notes that a timer was put off because of a lane, which may be that of an earlier timer of its parallel key. */
    public void add(StoredTimer timer, Lane lane, Instant until) {
        forget(timer.key());
        if (all.size() >= MOST_REMEMBERED && ++leftOut % LOOK_AFTER == 0) {
            forgetBefore(until.minus(LONGEST_WAIT));
        }
        if (all.size() < MOST_REMEMBERED) {
            PutOff putOff =
                    new PutOff(timer.key(), lane, timer.shard(), timer.generation(), timer.attempt(), until, ++added);
            all.put(timer.key(), putOff);
            byLane.computeIfAbsent(
                            lane,
                            first -> new TreeSet<>(
                                    Comparator.comparing(PutOff::until).thenComparing(PutOff::number)))
                    .add(putOff);
        }
    }

    /** Those that should have come by then are gone. */
    private void forgetBefore(Instant time) {
        all.values().stream()
                .filter(each -> each.until().isBefore(time))
                .map(PutOff::key)
                .toList()
                .forEach(this::forget);
    }

    /** Forgets a timer: it has an outcome, is in a call, or is put off anew. */
    public void forget(TimerKey timer) {
        PutOff known = all.isEmpty() ? null : all.remove(timer);
        if (known != null) {
            calledBack.remove(known);
            removeFromLane(known);
        }
    }

    private void removeFromLane(PutOff known) {
        NavigableSet<PutOff> ofLane = byLane.get(known.lane());
        if (ofLane != null) {
            ofLane.remove(known);
            if (ofLane.isEmpty()) {
                byLane.remove(known.lane());
            }
        }
    }

    /** Forgets the timers of shards that another node had: it may have tried them. */
    public void forget(Set<Integer> shards) {
        all.values().stream()
                .filter(each -> shards.contains(each.shard()))
                .map(PutOff::key)
                .toList()
                .forEach(this::forget);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns whether timers were called back and not yet taken. */
    public boolean hasCalledBack() {
        return !calledBack.isEmpty();
    }

    /**
     * Calls back some timers of a lane that works again.
     *
     * @param delivered how many of the lane have got through now
     */
    public void callBack(Lane lane, int delivered, Instant now) {
        NavigableSet<PutOff> ofLane = byLane.getOrDefault(lane, Collections.emptyNavigableSet());
        for (int i = 0; i < FIRST_CALLED_BACK + 2 * delivered && !ofLane.isEmpty(); i++) {
            bring(ofLane.first(), now);
        }
    }

    /** Lets some timers of a lane that fails come in time for its next try, unless others are due until then. */
    public void callForNextTry(Lane lane, Instant nextTry, Instant now) {
        call(lane, TRIED_NEXT, nextTry, now);
    }

    /**
     * Lets a timer of each of some lanes come at the end of a back-off, unless others of the lane are due until then.
     * Lanes take turns. Otherwise those that are due may all be poison, and it would look like an outage until the
     * others come.
     */
    public void callInOutage(Instant backOffUntil, Instant now) {
        for (Lane each : byLane.keySet().stream().limit(TRIED_NEXT).toList()) {
            byLane.put(each, Objects.requireNonNull(byLane.remove(each)));
            call(each, 1, backOffUntil, now);
        }
    }

    private void call(Lane lane, int most, Instant at, Instant now) {
        NavigableSet<PutOff> ofLane = byLane.getOrDefault(lane, Collections.emptyNavigableSet());
        // Those that should have come long ago are gone.
        while (!ofLane.isEmpty() && ofLane.first().until().isBefore(now.minus(SOON))) {
            forget(ofLane.first().key());
        }
        boolean isNoneDue = !ofLane.isEmpty() && ofLane.first().until().isAfter(at.plus(SOON));
        for (int i = 0; isNoneDue && i < most && !ofLane.isEmpty(); i++) {
            bring(some(ofLane), at);
        }
    }

    /** Returns some timer of a lane. The first ones may all be poison. */
    private PutOff some(NavigableSet<PutOff> ofLane) {
        PutOff first = ofLane.first();
        Duration all = Duration.between(first.until(), ofLane.last().until());
        part = (part + GOLDEN) % 1;
        Instant at = first.until().plusNanos((long) (part * all.toNanos()));
        PutOff found = ofLane.ceiling(first.at(at));
        return found == null ? first : found;
    }

    private void bring(PutOff timer, Instant at) {
        removeFromLane(timer);
        calledBack.put(timer, at);
    }

    /**
     * Takes the outcomes that let timers come sooner.
     *
     * @param owned the shards that the node owns
     */
    public List<Settlement> take(Set<Integer> owned, Instant now) {
        List<Settlement> taken = new ArrayList<>();
        calledBack.forEach((timer, wanted) -> {
            all.remove(timer.key());
            Instant at = Micros.ceil(wanted.isAfter(now) ? wanted : now);
            if (owned.contains(timer.shard()) && timer.until().isAfter(at.plus(SOON))) {
                taken.add(new Settlement.Retried(timer.key(), timer.generation(), at, timer.attempt(), null));
            }
        });
        calledBack.clear();
        return taken;
    }
}
