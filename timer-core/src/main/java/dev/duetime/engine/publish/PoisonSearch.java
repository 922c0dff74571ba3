package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.loop.DeliveryOrder;
import dev.duetime.engine.publish.CallJob.Caller;
import dev.duetime.engine.publish.PublishCall.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The search for poison envelopes in a batch, used if the publisher only reports that the batch failed. It first tries
 * single envelopes, to tell an outage from poison. Then it finds the lanes that fail. At last it works lane by lane: it
 * halves the failing part until it has found the poison.
 *
 * <p>The search takes a second, and the failing call that it is in. What is still unknown then, or at once if the batch
 * has failed for that long, is delivered apart from the others, lane by lane: that takes the fewest failing calls. In
 * a thread beside the loop the timers of such a batch are tried one by one instead.
 *
 * <p>Timers of one parallel key are in one lane, and keep their order. Used by one thread.
 */
final class PoisonSearch {
    /** After this many single failures in a row, the lane or the whole other side counts as unavailable. */
    private static final int IN_A_ROW = 4;

    /** After this many single failures in several lanes, the other side counts as unavailable. */
    private static final int IN_A_ROW_OF_ALL = 2 * IN_A_ROW;

    /** The longest time of a search. What was not tried is tried after the next read. */
    private static final long SEARCH_NANOS = Duration.ofSeconds(1).toNanos();

    private final Caller call;
    private final Clock clock;
    private final RandomGenerator random;
    private final SuspectedLanes suspected;
    private final boolean isBeside;

    private Result result = new Result();
    private long untilNanos;

    /**
     * Creates a search.
     *
     * @param isBeside whether it runs in a thread beside the loop, so that others need not wait for its calls
     */
    PoisonSearch(Caller call, Clock clock, RandomGenerator random, SuspectedLanes suspected, boolean isBeside) {
        this.call = call;
        this.clock = clock;
        this.random = random;
        this.suspected = suspected;
        this.isBeside = isBeside;
    }

    /**
     * Publishes the batch.
     *
     * @param beyond due timers after the batch: one of them may be tried, in case the whole batch is poison
     * @param first whether the previous batch got through: then the outermost envelopes are tried, else any
     * @param noted receives the results
     * @throws InterruptedException if the loop is being closed; the results noted until then are true
     */
    void publish(List<Parcel> batch, List<Parcel> beyond, boolean first, Result noted) throws InterruptedException {
        result = noted;
        long began = clock.nanoTime();
        Throwable error = call.publish(batch, result);
        if (error != null) {
            result.error = error;
            long now = clock.nanoTime();
            boolean wasSlow = now - began > SEARCH_NANOS;
            untilNanos = now + SEARCH_NANOS;
            if (batch.size() + beyond.size() > 1) {
                probe(batch, beyond, first);
                if (wasSlow || !first) {
                    forgetFailuresBeforeSuccess();
                }
            } else if (!result.isKnown(batch.get(0))) {
                failedAlone(batch.get(0));
            }
            if (!result.delivered.isEmpty()) {
                narrow(byLane(result.open(batch)), wasSlow);
            }
        }
        result.forgetUncertain();
    }

    /**
     * After an outage, or calls so slow that there may have been one, what failed before something got through is tried
     * again: it may have failed because of that.
     */
    private void forgetFailuresBeforeSuccess() {
        if (!result.delivered.isEmpty()) {
            result.failed.keySet().retainAll(result.certain);
        }
    }

    private void failedAlone(Parcel parcel) {
        suspected.failed(parcel.lane());
        result.failedAlone.add(parcel.lane());
    }

    private boolean isOver() {
        return clock.nanoTime() - untilNanos > 0;
    }

    /**
     * Tries single envelopes, one from the front and one from the back, until one gets through. If the time is over and
     * some have failed by an error of their own, that is no outage.
     */
    private void probe(List<Parcel> batch, List<Parcel> beyond, boolean first) throws InterruptedException {
        List<Parcel> all = new ArrayList<>(batch);
        all.addAll(beyond);
        probe(all, batch, size -> first ? 0 : random.nextInt(size));
        if (result.delivered.isEmpty()) {
            probe(all, beyond.isEmpty() ? batch : beyond, size -> first ? size - 1 : random.nextInt(size));
        }
        if (result.delivered.isEmpty()
                && !result.certain.isEmpty()
                && result.certain.containsAll(result.failed.keySet())
                && isOver()) {
            result.error = null;
        }
    }

    /**
     * Tries single envelopes, first of the lanes that failed least, until one shows whether the other side is
     * available. An envelope whose error is clearly its own shows nothing: then another lane is tried.
     */
    private void probe(List<Parcel> all, List<Parcel> from, IntUnaryOperator choice) throws InterruptedException {
        Throwable error = null;
        List<Parcel> choices = suspected.least(inTurn(all, from));
        while (error == null && result.delivered.isEmpty() && !choices.isEmpty()) {
            Parcel parcel = choices.get(choice.applyAsInt(choices.size()));
            error = call.publish(List.of(parcel), result);
            if (error != null) {
                result.failed.put(parcel.id(), error);
                result.error = error;
            }
            if (result.failed.containsKey(parcel.id())) {
                failedAlone(parcel);
            }
            if (isOver() && !result.certain.isEmpty()) {
                return;
            }
            choices = suspected.least(inTurn(all, from));
        }
    }

    /** Returns the open parcels that would not overtake another one of their parallel key. */
    private List<Parcel> inTurn(List<Parcel> all, List<Parcel> from) {
        Set<Parcel> wanted = new HashSet<>(from);
        Set<String> keys = new HashSet<>();
        List<Parcel> inTurn = new ArrayList<>();
        for (Parcel each : result.open(all)) {
            String key = each.timer().content().parallelKey();
            if ((key == null || keys.add(key)) && wanted.contains(each)) {
                inTurn.add(each);
            }
        }
        return inTurn;
    }

    private static List<List<Parcel>> byLane(List<Parcel> open) {
        Map<Lane, List<Parcel>> lanes = new LinkedHashMap<>();
        open.forEach(each ->
                lanes.computeIfAbsent(each.lane(), lane -> new ArrayList<>()).add(each));
        return List.copyOf(lanes.values());
    }

    private void suspect(List<List<Parcel>> lanes) {
        lanes.forEach(each -> result.suspects.add(each.get(0).lane()));
    }

    private void narrow(List<List<Parcel>> lanes, boolean wasSlow) throws InterruptedException {
        if (wasSlow && isBeside) {
            publishEach(joined(lanes));
            return;
        }
        if (wasSlow) {
            suspect(lanes);
            return;
        }
        Deque<List<List<Parcel>>> parts = new ArrayDeque<>();
        parts.push(lanes);
        List<List<Parcel>> failing = new ArrayList<>();
        while (!parts.isEmpty() && (!isOver() || parts.peek() == lanes)) {
            List<List<Parcel>> part = parts.pop();
            if (part.isEmpty()) {
                continue;
            }
            Throwable error = call.publish(joined(part), result);
            if (error != null && part.size() == 1) {
                failing.addAll(part);
                noteSingle(part.get(0), error);
            } else if (error != null && isOver()) {
                suspect(part);
            } else if (error != null) {
                int half = part.size() / 2;
                parts.push(part.subList(half, part.size()));
                parts.push(part.subList(0, half));
            }
        }
        int left = failing.size();
        for (List<Parcel> lane : failing) {
            long share = Math.max(0, untilNanos - clock.nanoTime()) / left--;
            halve(lane, clock.nanoTime() + share);
        }
    }

    /**
     * Publishes timers one by one, until one is found whose call is slow. The rest is left to other calls, which then
     * do not wait for that one again. It also ends with the time of the search, or if the other side seems unavailable.
     */
    private void publishEach(List<Parcel> parcels) throws InterruptedException {
        for (Parcel each : parcels) {
            boolean isFound =
                    result.made.stream().anyMatch(made -> made.parcels().size() == 1 && made.nanos() > SEARCH_NANOS);
            if (isFound || isOver() || result.failuresInARow >= IN_A_ROW) {
                return;
            }
            Throwable error = call.publish(List.of(each), result);
            if (error != null) {
                noteSingle(List.of(each), error);
            }
        }
    }

    private boolean noteSingle(List<Parcel> part, Throwable error) {
        if (part.size() > 1) {
            return false;
        }
        result.failuresInARow++;
        result.failed.put(part.get(0).id(), error);
        return true;
    }

    private static List<Parcel> joined(List<List<Parcel>> lanes) {
        return lanes.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Parcel::timer, DeliveryOrder.BY_PRIORITY))
                .toList();
    }

    /**
     * Publishes parts of a lane that has failed as a whole, and halves the parts that fail. Stops after a number of
     * single failures in a row, because the lane or the other side then seems unavailable. The single ones count as
     * failed, so that a run of poison does not block the lane for ever. The others count as not tried.
     */
    private void halve(List<Parcel> lane, long untilNanos) throws InterruptedException {
        Deque<List<Parcel>> parts = new ArrayDeque<>();
        split(lane, parts);
        int before = result.failuresInARow;
        while (!parts.isEmpty()) {
            before = Math.min(before, result.failuresInARow);
            if (result.failuresInARow - before >= IN_A_ROW || clock.nanoTime() - untilNanos > 0) {
                result.givenUp.add(lane.get(0).lane());
                return;
            }
            if (result.failuresInARow >= IN_A_ROW_OF_ALL) {
                return;
            }
            List<Parcel> part = parts.pop();
            Throwable error = call.publish(part, result);
            if (error != null && !noteSingle(part, error)) {
                split(part, parts);
            }
        }
    }

    private static void split(List<Parcel> part, Deque<List<Parcel>> parts) {
        int half = part.size() / 2;
        if (half > 0) {
            parts.push(part.subList(half, part.size()));
            parts.push(part.subList(0, half));
        }
    }
}
