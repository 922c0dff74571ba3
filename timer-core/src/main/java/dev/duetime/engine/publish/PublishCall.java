package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowLanes.MadeCall;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.internal.UserCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call of the publisher, and its result for each envelope. Before each call it leaves out envelopes that must no
 * longer be published: a search may take so long that envelopes expire, or that their shard is lost. Thread-safe if
 * each thread has its own result.
 */
final class PublishCall implements CallJob.Caller {
    private final Publisher publisher;
    private final BiPredicate<Envelope, Throwable> speaksForItself;
    private final KeyOrder order;
    private final Supplier<Predicate<Parcel>> mayBePublished;
    private final CrashAttempts crashAttempts;
    private final UnaryOperator<List<StoredTimer>> begins;
    private final UserCode userCode;
    private final Clock clock;

    /**
     * Creates a call.
     *
     * @param speaksForItself whether an error is the envelope's own, whether or not others get through
     * @param order the order of the timers that the loop publishes itself
     * @param mayBePublished called before each call of the publisher; returns the parcels that may be published then
     * @param begins called right before each call, after what is written before it; returns those that may begin
     */
    PublishCall(
            Publisher publisher,
            BiPredicate<Envelope, Throwable> speaksForItself,
            KeyOrder order,
            Supplier<Predicate<Parcel>> mayBePublished,
            CrashAttempts crashAttempts,
            UnaryOperator<List<StoredTimer>> begins,
            UserCode userCode,
            Clock clock) {
        this.publisher = publisher;
        this.speaksForItself = speaksForItself;
        this.order = order;
        this.mayBePublished = mayBePublished;
        this.crashAttempts = crashAttempts;
        this.begins = begins;
        this.userCode = userCode;
        this.clock = clock;
    }

    @Override
    public @Nullable Throwable publish(List<Parcel> parcels, Result result) throws InterruptedException {
        return publish(parcels, result, order, mayBePublished, calls -> {});
    }

    /**
     * Returns what makes calls with some timers in a thread beside the loop. Each of them has been in order when it
     * began, except for the others of them.
     *
     * @param allowed called before each call of the publisher; returns the parcels that may be published then
     * @param running called with the timers of each call right before it, and with none after it
     */
    CallJob.Caller beside(List<Parcel> all, Supplier<Predicate<Parcel>> allowed, Consumer<List<Parcel>> running) {
        KeyOrder own = order.of(all);
        return new CallJob.Caller() {
            @Override
            public @Nullable Throwable publish(List<Parcel> parcels, Result result) throws InterruptedException {
                return PublishCall.this.publish(parcels, result, own, allowed, running);
            }

            @Override
            public int together(List<Parcel> parcels, int most) {
                return PublishCall.this.together(parcels, most);
            }
        };
    }

    private @Nullable Throwable publish(
            List<Parcel> wanted,
            Result result,
            KeyOrder inTurn,
            Supplier<Predicate<Parcel>> allowed,
            Consumer<List<Parcel>> running)
            throws InterruptedException {
        List<Parcel> parcels = inTurn.inOrder(wanted, result::hasOutcome);
        result.left(wanted, parcels);
        List<Parcel> part = parcels.stream().filter(allowed.get()).toList();
        if (!part.isEmpty() && crashAttempts.begin(timers(part))) {
            part = part.stream().filter(allowed.get()).toList();
        }
        List<StoredTimer> begun = begins.apply(timers(part));
        if (begun.size() < part.size()) {
            Set<Long> generations = begun.stream().map(StoredTimer::generation).collect(Collectors.toSet());
            part = part.stream()
                    .filter(each -> generations.contains(each.timer().generation()))
                    .toList();
        }
        result.left(parcels, part);
        if (part.isEmpty()) {
            return null;
        }
        result.stops |=
                !crashAttempts.isIdle() && crashAttempts.isLast(part.get(0).timer());
        long began = clock.nanoTime();
        running.accept(part);
        Throwable error = call(part);
        running.accept(List.of());
        long took = clock.nanoTime() - began;
        if (error == null) {
            result.delivered(part, Set.of());
            result.made.add(new MadeCall(part, took, false));
            return null;
        }
        Map<String, Throwable> named = named(part, error);
        result.made.add(new MadeCall(part, took, named.isEmpty()));
        if (named.isEmpty()) {
            result.spent(part, took);
            return error;
        }
        List<Parcel> failed =
                part.stream().filter(each -> named.containsKey(each.id())).toList();
        result.failed.putAll(named);
        result.certain.addAll(named.keySet());
        result.spent(failed, took);
        result.delivered(part, named.keySet());
        return null;
    }

    @Override
    public int together(List<Parcel> parcels, int most) {
        return crashAttempts.isIdle() ? most : crashAttempts.together(timers(parcels), most);
    }

    private static List<StoredTimer> timers(List<Parcel> parcels) {
        return parcels.stream().map(Parcel::timer).toList();
    }

    private @Nullable Throwable call(List<Parcel> part) throws InterruptedException {
        Envelope first = part.get(0).envelope();
        List<Envelope> batch = part.stream().map(Parcel::envelope).toList();
        LogContext context = part.size() == 1 ? LogContext.of(first) : LogContext.of(first.queue());
        try {
            UserCode.Answer<PartialPublishException> answer = userCode.call(() -> publish(batch));
            Throwable error = answer.error() == null ? answer.value() : answer.error();
            if (error != null && answer.isInterrupted()) {
                throw new InterruptedException("interrupted by close while publishing");
            }
            return error;
        } finally {
            context.close();
        }
    }

    /**
     * Returns what the publisher says of single envelopes: even if an interrupt is its cause, the others got through.
     */
    private @Nullable PartialPublishException publish(List<Envelope> batch) throws Exception {
        try {
            publisher.publish(batch);
            return null;
        } catch (PartialPublishException e) {
            return e;
        }
    }

    /** Returns the certain failures, by envelope id. An envelope that the publisher names has always failed. */
    private Map<String, Throwable> named(List<Parcel> part, Throwable error) {
        if (error instanceof PartialPublishException partial) {
            Map<String, Throwable> failures = partial.failures();
            Set<String> known = part.stream().map(Parcel::id).collect(Collectors.toSet());
            // Ids of other batches are a mistake of the publisher. Then nothing is known.
            return known.containsAll(failures.keySet()) ? failures : Map.of();
        }
        boolean itsOwn = part.size() == 1 && speaksForItself.test(part.get(0).envelope(), error);
        return itsOwn ? Map.of(part.get(0).id(), error) : Map.of();
    }

    /** The results of envelopes, by id. An envelope in none of the sets was not tried to the end. */
    static final class Result {
        final Set<String> delivered = new HashSet<>();
        final Map<String, Throwable> failed = new HashMap<>();
        /** The failed envelopes that count as failed whether or not others got through. */
        final Set<String> certain = new HashSet<>();
        /** The envelopes that must not be published now. Their outcome is decided after the next read. */
        final Set<String> left = new HashSet<>();
        /** The time that the failed tries took. */
        final Map<Lane, Long> spentNanos = new HashMap<>();
        /** The lanes of which some envelopes were not tried, because too many had failed. */
        final Set<Lane> givenUp = new HashSet<>();
        /** The lanes that may be those which failed. */
        final Set<Lane> suspects = new HashSet<>();
        /** The calls that were made. */
        final List<MadeCall> made = new ArrayList<>();
        /** The error of a part that failed as a whole, if there was one. */
        @Nullable
        Throwable error;

        /** The lanes of which a single timer failed while nothing got through. */
        final List<Lane> failedAlone = new ArrayList<>();

        /** What the store or the process did to a job in a thread beside the loop: the rest of it is not known. */
        private @Nullable Throwable broken;

        int failuresInARow;

        /** How many of the parcels have been noted. */
        int noted;

        /** Whether an envelope was tried that must be settled before others are tried: it may kill the process. */
        boolean stops;

        /** Notes that a job ends early, although no call of the publisher has failed. */
        void broke(Throwable cause) {
            broken = cause;
        }

        boolean isBroken() {
            return broken != null;
        }

        /** Throws what made the job end early. */
        void rethrowBroken() {
            if (broken instanceof Error e) {
                throw e;
            }
            if (broken instanceof RuntimeException e) {
                throw e;
            }
        }

        /** Notes the parcels that are not in the part which is published. */
        void left(List<Parcel> parcels, List<Parcel> part) {
            if (part.size() < parcels.size()) {
                Set<Parcel> published = new HashSet<>(part);
                parcels.stream().filter(each -> !published.contains(each)).forEach(each -> left.add(each.id()));
            }
        }

        void delivered(List<Parcel> part, Set<String> excluded) {
            for (Parcel each : part) {
                if (!excluded.contains(each.id())) {
                    delivered.add(each.id());
                    failuresInARow = 0;
                }
            }
        }

        /** Divides the cost of a call among the lanes of the failed parcels. */
        void spent(List<Parcel> failedParcels, long nanos) {
            long each = nanos / Math.max(1, failedParcels.size());
            failedParcels.forEach(parcel -> spentNanos.merge(parcel.lane(), each, Long::sum));
        }

        /** Returns whether the parcel is settled by this result. */
        boolean hasOutcome(Parcel parcel) {
            return delivered.contains(parcel.id()) || failed.containsKey(parcel.id());
        }

        boolean isKnown(Parcel parcel) {
            return hasOutcome(parcel) || left.contains(parcel.id());
        }

        /** Returns the parcels whose result is not known yet. */
        List<Parcel> open(List<Parcel> parcels) {
            return parcels.stream().filter(each -> !isKnown(each)).collect(Collectors.toCollection(ArrayList::new));
        }

        /** Returns whether nothing at all got through, for an unknown reason. */
        boolean isOutage() {
            return delivered.isEmpty() && error != null;
        }

        /** If nothing got through, only certain failures count. */
        void forgetUncertain() {
            if (delivered.isEmpty()) {
                failed.keySet().retainAll(certain);
            }
        }
    }
}
