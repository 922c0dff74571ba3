package dev.duetime.engine.lanes;

import dev.duetime.engine.lanes.Parcel.Lane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The share of the calls that slow lanes may use while others are present. The others come first, but slow lanes get at
 * least a quarter of the calls and at most three quarters. A call holds timers of one slow lane only. Used by one
 * thread.
 */
public final class SlowShare {
    private static final int PART = 4;

    /** An odd number with mixed bits. */
    private static final int TURNS = 0x9E3779B9;

    /** Bounds the statement that leaves out slow lanes that must wait. */
    private static final int MOST_LEFT_OUT = 100;

    private final SlowLanes slow;
    private final Predicate<Lane> isFailing;
    private final int calls;

    /** The slow lanes that have timers due, as the last turns found. */
    private Set<Lane> waiting = new HashSet<>();

    /** Those of them that wait until a timer of a slow lane gives back its permits. */
    private final Set<Lane> withoutPermit = new HashSet<>();

    /** Changes the order of trials. */
    private int divisions;

    private @Nullable String tenant;
    private boolean hasSeveralTenants;

    /**
     * The calls that hold slow lanes.
     *
     * @param byLane how many calls hold each lane
     * @param calls how many calls hold one at all
     * @param trials how many of them hold only one lane which is suspected
     */
    public record Running(Map<Lane, Integer> byLane, int calls, int trials) {

        public int of(Lane lane) {
            return byLane.getOrDefault(lane, 0);
        }
    }

    /**
     * Some timers of a read, and how many calls divide them.
     *
     * @param batchSize how many timers each call takes
     */
    public record Part(List<Parcel> parcels, int calls, int batchSize) {}

    public SlowShare(SlowLanes slow, Predicate<Lane> isFailing, int calls) {
        this.slow = slow;
        this.isFailing = isFailing;
        this.calls = calls;
    }

    /** Returns the number without a quarter of it, at least without one. */
    public static int mostOf(int number) {
        return number - leastOf(number);
    }

    private static int leastOf(int number) {
        return Math.max(1, number / PART);
    }

    private int mostOfLane(Lane lane) {
        if (isTriedAlone(lane)) {
            return 1;
        }
        int most = mostOf(calls);
        return slow.isSeveral() ? Math.max(1, mostOf(most)) : most;
    }

    /** Timers that have failed, or whose lane fails, are tried one by one. */
    private boolean isTriedAlone(Lane lane) {
        return lane.isRetry() || isFailing.test(lane);
    }

    private boolean mayBegin(Lane lane, Running running) {
        boolean hasShare = running.calls() < mostOf(calls) && running.of(lane) < mostOfLane(lane);
        return hasShare || mayBeTried(lane, running);
    }

    /** A suspected lane does not wait for the long calls of others: one at a time is tried with a single timer. */
    private boolean mayBeTried(Lane lane, Running running) {
        return running.trials() == 0 && slow.isUncertain(lane);
    }

    /** Returns how many calls hold slow lanes. */
    public Running running(Collection<List<Parcel>> batches) {
        Map<Lane, Integer> byLane = new HashMap<>();
        int count = 0;
        int trials = 0;
        for (List<Parcel> each : batches) {
            Set<Lane> lanes =
                    each.stream().filter(slow::isSlow).map(Parcel::lane).collect(Collectors.toSet());
            lanes.forEach(lane -> byLane.merge(lane, 1, Integer::sum));
            count += lanes.isEmpty() ? 0 : 1;
            trials += SlowLanes.of(each).size() == 1
                            && slow.isUncertain(each.get(0).lane())
                    ? 1
                    : 0;
        }
        return new Running(byLane, count, trials);
    }

    /**
     * Divides free calls among the lanes that are not slow together and each slow lane.
     *
     * @param free how many calls may begin
     */
    public List<Part> divide(List<Parcel> parcels, int free, Running running, int batchSize) {
        Map<Lane, List<Parcel>> lanes = new LinkedHashMap<>();
        List<Parcel> others = new ArrayList<>();
        for (Parcel each : parcels) {
            note(each.lane().tenantId());
            (slow.isSlow(each) ? lanes.computeIfAbsent(each.lane(), added -> new ArrayList<>()) : others).add(each);
        }
        divisions++;
        waiting = leftOut(running);
        waiting.addAll(lanes.keySet());
        int most = Math.max(0, Math.min(free, mostOf(calls) - running.calls()));
        int least = lanes.isEmpty() ? 0 : Math.max(0, Math.min(most, leastOf(calls) - running.calls()));
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(others, Math.min(free - least, others.size()), batchSize));
        int left = free - parts.get(0).calls();
        Map<Lane, Integer> shares = shares(lanes, Math.min(most, left), running);
        if (left > sum(shares)) {
            lanes.keySet().stream()
                    .filter(lane -> !shares.containsKey(lane) && mayBeTried(lane, running))
                    .min(Comparator.comparingInt(this::turn))
                    .ifPresent(lane -> shares.put(lane, 1));
        }
        lanes.forEach((lane, timers) ->
                parts.add(new Part(timers, shares.getOrDefault(lane, 0), batchSizeOf(lane, timers.size(), batchSize))));
        return parts;
    }

    private static int sum(Map<Lane, Integer> shares) {
        return shares.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * The timers of the only slow lane are divided among all calls that it may have, also if only one of them is free
     * now. Several lanes use these calls anyway, and some publishers take as long for many timers as for one.
     */
    private int batchSizeOf(Lane lane, int timers, int batchSize) {
        int most = slow.isSeveral() ? 1 : mostOfLane(lane);
        int size = Math.min(batchSize, (timers + most - 1) / most);
        return isTriedAlone(lane) ? 1 : slow.batchSize(lane, size);
    }

    private void note(String seen) {
        hasSeveralTenants |= tenant != null && !seen.equals(tenant);
        tenant = seen;
    }

    /**
     * Suspected lanes come first, in an order that changes: the lanes with the oldest timers may be the slow ones, so
     * that all others would wait for the trials of these.
     */
    private int turn(Lane lane) {
        return slow.isUncertain(lane) ? ((lane.hashCode() ^ (divisions * TURNS)) * TURNS) >>> 1 : Integer.MAX_VALUE;
    }

    /**
     * Gives call after call to the lane that has the fewest. Among these, suspected lanes come first, and then the one
     * with the oldest timer.
     */
    private Map<Lane, Integer> shares(Map<Lane, List<Parcel>> lanes, int left, Running running) {
        Map<Lane, Integer> shares = new HashMap<>();
        for (int i = 0; i < left; i++) {
            lanes.keySet().stream()
                    .filter(lane -> running.of(lane) + shares.getOrDefault(lane, 0) < mostOfLane(lane)
                            && shares.getOrDefault(lane, 0)
                                    < lanes.getOrDefault(lane, List.of()).size())
                    .min(Comparator.comparingInt((Lane lane) -> running.of(lane) + shares.getOrDefault(lane, 0))
                            .thenComparingInt(this::turn))
                    .ifPresent(lane -> shares.merge(lane, 1, Integer::sum));
        }
        return shares;
    }

    /** Notes that a lane waits, because slow lanes leave permits to others. */
    public void waitsForPermit(Lane lane) {
        note(lane.tenantId());
        waiting.add(lane);
        withoutPermit.add(lane);
    }

    /** If no call holds a slow lane, none will give back permits. */
    private boolean hasNoPermit(Lane lane, Running running) {
        return running.calls() > 0 && withoutPermit.contains(lane);
    }

    /** Notes that a call with a slow lane has ended. */
    public void permitsReturned() {
        withoutPermit.clear();
    }

    /** Returns whether slow lanes have timers that wait for the end of a call. */
    public boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Returns the slow lanes that have timers due and may not begin a call now. */
    private Set<Lane> leftOut(Running running) {
        return waiting.stream()
                .filter(lane -> slow.isSlow(lane) && (hasNoPermit(lane, running) || !mayBegin(lane, running)))
                .limit(MOST_LEFT_OUT)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * Adds what the next read leaves out: the tenants of the slow lanes that must wait, or their types if the queue has
     * one tenant. A tenant or type is not left out if another slow lane of it may begin a call.
     */
    public void addLeftOut(Running running, Set<String> types, Set<String> tenants) {
        Set<Lane> blocked = leftOut(running);
        Function<Lane, String> by = hasSeveralTenants ? Lane::tenantId : Lane::type;
        Set<String> left = blocked.stream().map(by).collect(Collectors.toSet());
        waiting.stream().filter(lane -> !blocked.contains(lane)).map(by).forEach(left::remove);
        (hasSeveralTenants ? tenants : types).addAll(left);
    }
}
