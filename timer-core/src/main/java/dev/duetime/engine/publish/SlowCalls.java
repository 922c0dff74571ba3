package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.KnownLanes;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowLanes;
import dev.duetime.engine.lanes.SlowLanes.MadeCall;
import dev.duetime.engine.lanes.SlowShare;
import dev.duetime.engine.lanes.SlowShare.Part;
import dev.duetime.engine.lanes.SlowShare.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls with timers of slow lanes. While other lanes are present, these calls hold one lane each, are never made by
 * the loop's thread, and leave some calls to the others. Used by the loop's thread.
 */
final class SlowCalls {
    /** While the publisher seems unavailable, a call with a slow lane waits for another one for this time at most. */
    private static final long ALONE_NANOS = Duration.ofSeconds(1).toNanos();

    /** Bounds memory. */
    private static final int MOST_READS_APART = 8;

    private final Clock clock;
    private final SlowLanes lanes;
    private final KnownLanes known = new KnownLanes();
    private final SlowShare share;
    private final Collection<CallThread> threads;
    private final int most;

    /**
     * Creates the calls of a queue.
     *
     * @param most how many calls may run at once
     */
    SlowCalls(Clock clock, SlowLanes lanes, FailingLanes failing, Collection<CallThread> threads, int most) {
        this.clock = clock;
        this.lanes = lanes;
        this.threads = threads;
        this.most = most;
        share = new SlowShare(lanes, failing::isFailing, most);
    }

    /** Returns whether slow lanes have calls of their own now. */
    boolean areApart() {
        return most > 1 && lanes.holdUpOthers(clock.nanoTime());
    }

    /** Returns by how much reads are larger, so that each of several slow lanes finds as many timers as if alone. */
    int readsApart() {
        return areApart() ? Math.max(1, Math.min(lanes.count(), MOST_READS_APART)) : 1;
    }

    /** Returns whether the timer is of a slow lane that has calls of its own now. */
    boolean isApart(Parcel parcel) {
        return lanes.isSlow(parcel) && areApart();
    }

    /** Returns the timers of each call. */
    List<List<Parcel>> batches() {
        return threads.stream().map(CallThread::batch).toList();
    }

    /** Notes that a timer of a slow lane waits, because slow lanes leave permits to others. */
    void waitsForPermit(Parcel parcel) {
        share.waitsForPermit(parcel.lane());
    }

    /** Returns those whose calls hold slow lanes that have calls of their own. */
    Set<CallThread> running() {
        return areApart() ? threads.stream().filter(this::isSlow).collect(Collectors.toSet()) : Set.of();
    }

    private boolean isSlow(CallThread thread) {
        return thread.batch().stream().anyMatch(lanes::isSlow);
    }

    /** Returns the calls that one which must be made alone waits for. */
    List<CallThread> awaited() {
        boolean apart = areApart();
        return threads.stream()
                .filter(each -> !each.isFree() && !(apart && isSlow(each)))
                .toList();
    }

    /** Notes how long calls lasted that have ended. */
    void note(List<MadeCall> calls) {
        long now = clock.nanoTime();
        lanes.note(calls, now);
        calls.forEach(each -> known.note(each.parcels(), now));
    }

    /**
     * Divides free calls among timers, after a look at how long the running calls have lasted. Of an unknown lane only
     * a few timers begin.
     */
    List<Part> divide(List<Parcel> parcels, int free, int batchSize) {
        long now = clock.nanoTime();
        for (CallThread each : threads) {
            CallThread.Running running = each.running();
            if (running != null) {
                lanes.noteRunning(running.parcels(), now - running.beganNanos(), now);
            }
        }
        List<Parcel> some = known.withoutMany(parcels, SlowShare.mostOf(most), this::batches, now);
        return areApart()
                ? share.divide(some, free, runningCalls(), batchSize)
                : List.of(new Part(some, Math.min(free, some.size()), batchSize));
    }

    private Running runningCalls() {
        return share.running(batches());
    }

    /** Removes the timers of slow lanes, and returns them. */
    List<Parcel> takeFrom(List<Parcel> parcels) {
        List<Parcel> taken = new ArrayList<>();
        if (areApart()) {
            parcels.stream().filter(lanes::isSlow).forEach(taken::add);
            parcels.removeIf(lanes::isSlow);
        }
        return taken;
    }

    /** Returns whether a call with a slow lane may begin although the publisher seems unavailable. */
    boolean mayTryAlone() {
        long now = clock.nanoTime();
        return runningCalls().calls() < SlowShare.mostOf(most)
                && threads.stream()
                        .noneMatch(each -> !each.isFree() && isSlow(each) && now - each.beganNanos() < ALONE_NANOS);
    }

    /** Adds the types and tenants that the next read leaves out, because their lanes wait for the end of a call. */
    void addLeftOut(Set<String> types, Set<String> tenants) {
        if (areApart() && share.isWaiting()) {
            share.addLeftOut(runningCalls(), types, tenants);
        }
    }

    /** Notes that a call has ended. Returns whether timers may begin now that were left out. */
    boolean noteEnded(List<Parcel> ended) {
        boolean lets = share.isWaiting() && ended.stream().anyMatch(lanes::isSlow);
        if (lets) {
            share.permitsReturned();
        }
        return lets;
    }

    /** Returns the only lane of the timers if it is slow and has its own calls; else null. */
    @Nullable
    Lane only(List<Parcel> batch) {
        Lane first = batch.get(0).lane();
        boolean isOne = batch.stream().allMatch(each -> each.lane().equals(first));
        return isOne && areApart() && lanes.isSlow(batch.get(0)) ? first : null;
    }

    SlowLanes lanes() {
        return lanes;
    }
}
