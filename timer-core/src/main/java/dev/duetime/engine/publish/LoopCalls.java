package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.settle.CrashAttempts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The calls of a publisher that the loop makes itself: all of them if a queue makes one at a time, else those with the
 * last attempt of a timer that may have killed a node. Used by the loop's thread.
 */
final class LoopCalls {
    /** If the batches of a read took no longer than this, another one is published before they are settled. */
    private static final long QUICK_NANOS = Duration.ofMillis(100).toNanos();

    private final PublishCall call;
    private final PoisonSearch poisonSearch;
    private final ApartDelivery apartDelivery;
    private final ConcurrentCalls calls;
    private final PublisherPresence presence;
    private final PublishOutcomes outcomes;
    private final Admission admission;
    private final CrashAttempts crashAttempts;
    private final PublishRights rights;
    private final Clock clock;
    private final int batchSize;

    /** Returns whether timers of other tenants have become due during the turn. */
    private BooleanSupplier othersHaveCome = () -> false;

    private boolean stops;

    /** Whether the last turn ended early for timers of other tenants. */
    private boolean gaveWay;

    private long batchNanos;

    LoopCalls(
            LoopParts parts,
            PublishCall call,
            PoisonSearch poisonSearch,
            ApartDelivery apartDelivery,
            ConcurrentCalls calls,
            PublisherPresence presence,
            PublishOutcomes outcomes,
            Admission admission,
            CrashAttempts crashAttempts,
            PublishRights rights) {
        this.call = call;
        this.poisonSearch = poisonSearch;
        this.apartDelivery = apartDelivery;
        this.calls = calls;
        this.presence = presence;
        this.outcomes = outcomes;
        this.admission = admission;
        this.crashAttempts = crashAttempts;
        this.rights = rights;
        clock = parts.clock();
        batchSize = parts.queue().batchSize();
    }

    /** Sets when a turn ends after a batch, so that the next one finds timers of other tenants. */
    void givesWayIf(BooleanSupplier come) {
        othersHaveCome = come;
    }

    /** Returns whether the last turn has left timers only because those of other tenants have become due. */
    boolean gaveWay() {
        return gaveWay;
    }

    /** Returns how long each batch of the last turn took; 0 if there was none. */
    long batchNanos() {
        return batchNanos;
    }

    void beginTurn() {
        stops = false;
        gaveWay = false;
        batchNanos = 0;
    }

    /**
     * Publishes timers, first those that are expected to get through.
     *
     * @param triesFresh whether these are tried at all
     * @param isAlone whether no other timer is due
     * @return until when to back off; {@link Instant#MIN} if there is no outage
     * @throws InterruptedException if the loop is being closed; what is known by then must still be settled
     */
    Instant publish(List<Parcel> fresh, List<Parcel> apart, boolean triesFresh, boolean isAlone)
            throws InterruptedException {
        // A permit of a rate is used at once: no batch waits for the end of another one.
        int most = !triesFresh ? 0 : admission.isLimited() ? Math.min(fresh.size(), batchSize) : fresh.size();
        // With limits, the search for poison tries nothing that has no permit.
        List<Parcel> beyond = admission.isLimited() ? List.of() : apart;
        Instant backOffUntil = publishFresh(admission.admit(fresh, most), beyond);
        // The search for a poison envelope may have tried some of them.
        apart.removeIf(each -> outcomes.isDone(each.timer()));
        if (backOffUntil.equals(Instant.MIN) && !stops && !apart.isEmpty() && rights.mayBegin() && calls.free() > 0) {
            admission.endCalls();
            List<Parcel> some = admission.admitApart(apart);
            backOffUntil = some.isEmpty() ? backOffUntil : publishApart(some, isAlone);
        }
        return backOffUntil;
    }

    /** Publishes batch by batch, as long as each is quick and succeeds. */
    private Instant publishFresh(List<Parcel> fresh, List<Parcel> apart) throws InterruptedException {
        long began = clock.nanoTime();
        int from = 0;
        int batches = 0;
        boolean onwards = !fresh.isEmpty();
        Instant backOffUntil = Instant.MIN;
        while (onwards) {
            batches++;
            int most = Math.min(fresh.size() - from, batchSize);
            int to = from + call.together(fresh.subList(from, fresh.size()), most);
            List<Parcel> batch = fresh.subList(from, to);
            List<Parcel> beyond = new ArrayList<>();
            if (crashAttempts.isIdle()) {
                // Otherwise a timer beyond the batch that is tried would spend an attempt, too.
                beyond.addAll(fresh.subList(to, fresh.size()));
                beyond.addAll(apart);
            }
            Result result = new Result();
            try {
                poisonSearch.publish(batch, beyond, !presence.isAway(), result);
            } finally {
                backOffUntil = outcomes.note(batch, beyond, result);
                calls.noteDurations(result.made);
            }
            if (result.isOutage()) {
                admission.doubtIfAlone(batch, outcomes.doubted());
            }
            stops = result.stops;
            from = to;
            onwards = result.error == null
                    && from < fresh.size()
                    && !result.stops
                    && clock.nanoTime() - began < QUICK_NANOS
                    && rights.mayBegin();
            gaveWay = onwards && othersHaveCome.getAsBoolean();
            onwards &= !gaveWay;
        }
        batchNanos = batches == 0 ? 0 : (clock.nanoTime() - began) / batches;
        return backOffUntil;
    }

    private Instant publishApart(List<Parcel> apart, boolean isAlone) throws InterruptedException {
        Result result = new Result();
        boolean isThere = presence.isThere();
        Instant backOffUntil;
        try {
            apartDelivery.publish(apartDelivery.inTurn(apart, isThere, !presence.isAway()), isThere, call, result);
        } finally {
            presence.noteSuspects(result);
            backOffUntil = outcomes.noteApart(apart, result, isThere, isAlone);
            calls.noteDurations(result.made);
        }
        return backOffUntil;
    }
}
