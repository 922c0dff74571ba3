package dev.duetime.engine.publish;

import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.publish.ApartDelivery.LaneTimers;
import dev.duetime.engine.publish.PublishCall.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a thread beside the loop does with the timers that it holds. It uses nothing of the loop's, so that the loop
 * goes on meanwhile: a call that hangs holds up only these timers.
 */
sealed interface CallJob {
    /** What makes calls of the publisher, one after another. */
    interface Caller {

        /**
         * Publishes once, and adds to the result what is certain about single envelopes. Leaves out envelopes before
         * which an earlier one of their parallel key must be tried.
         *
         * @return the error if nothing is known about the envelopes; null if all is known, or nothing was published
         * @throws InterruptedException if the loop is being closed
         */
        @Nullable
        Throwable publish(List<Parcel> parcels, Result result) throws InterruptedException;

        /**
         * Returns how many of the first parcels may be published together. The last attempt of a suspect is made alone.
         */
        int together(List<Parcel> parcels, int most);
    }

    /** Returns the timers that it holds. */
    List<Parcel> parcels();

    /** Returns the same for some of its timers: the others may not begin now. */
    CallJob only(List<Parcel> some);

    /**
     * Publishes the timers.
     *
     * @param call makes the calls
     * @throws InterruptedException if the loop is being closed; the results noted until then are true
     */
    void run(Caller call, Result result) throws InterruptedException;

    /**
     * A batch, in which the poison is searched if the call fails.
     *
     * @param beyond timers after the batch: one of them may be tried, in case the whole batch is poison
     * @param isCareful whether no other call is to run beside it, since one has failed before
     * @param first whether the previous batch got through
     * @param search creates the search
     */
    record OfBatch(
            List<Parcel> batch,
            List<Parcel> beyond,
            boolean isCareful,
            boolean first,
            Function<Caller, PoisonSearch> search)
            implements CallJob {
        @Override
        public List<Parcel> parcels() {
            List<Parcel> all = new ArrayList<>(batch);
            all.addAll(beyond);
            return all;
        }

        @Override
        public CallJob only(List<Parcel> some) {
            List<Parcel> left = both(batch, some);
            return left.isEmpty()
                    ? new OfBatch(both(beyond, some), List.of(), isCareful, first, search)
                    : new OfBatch(left, both(beyond, some), isCareful, first, search);
        }

        @Override
        public void run(Caller call, Result result) throws InterruptedException {
            search.apply(call).publish(batch, beyond, first, result);
        }
    }

    /**
     * Timers that are published apart from others.
     *
     * @param isThere whether something got through lately when the job began
     * @param isAlone whether no other timer was due then
     */
    record OfLanes(List<LaneTimers> lanes, boolean isThere, boolean isAlone, ApartDelivery delivery)
            implements CallJob {
        @Override
        public List<Parcel> parcels() {
            return lanes.stream().flatMap(each -> each.parcels().stream()).toList();
        }

        @Override
        public CallJob only(List<Parcel> some) {
            List<LaneTimers> left = lanes.stream()
                    .map(each -> new LaneTimers(each.lane(), both(each.parcels(), some), each.nanosEach()))
                    .filter(each -> !each.parcels().isEmpty())
                    .toList();
            return new OfLanes(left, isThere, isAlone, delivery);
        }

        @Override
        public void run(Caller call, Result result) throws InterruptedException {
            delivery.publish(lanes, isThere, call, result);
        }
    }

    private static List<Parcel> both(List<Parcel> some, List<Parcel> others) {
        return some.stream().filter(others::contains).toList();
    }
}
