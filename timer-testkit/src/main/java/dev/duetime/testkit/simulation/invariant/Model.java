package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Beta;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state that a store should have after each event of a history. It is the simplest possible store, because events
 * come one after the other.
 */
@Beta
public final class Model {
    public final Map<TimerKey, Row> rows = new TreeMap<>();
    /** All schedules that were ever accepted, and all occurrences that followed, by envelope id. */
    final Map<String, NewTimer> accepted = new HashMap<>();

    /** How far ahead of the true time the store's clock ever was. */
    private Duration mostAhead = Duration.ZERO;

    private boolean storeClockWasSet;

    private final Map<Integer, Lease> leases = new HashMap<>();
    private final Map<String, Event> reads = new HashMap<>();
    /** The timers that the search for other tenants has found since the last read, by process. */
    private final Map<String, List<StoredTimer>> readForOthers = new HashMap<>();

    /** A row of the model. After its end, {@code wakeAt} is null and {@code settledAt} is not. */
    public record Row(
            NewTimer timer,
            TimerState state,
            int attempt,
            @Nullable Instant wakeAt,
            @Nullable Instant settledAt) {

        boolean isScheduled(long generation) {
            return state == TimerState.SCHEDULED && timer.generation() == generation;
        }
    }

    record Lease(String process, Instant until) {}

    void apply(Event event) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Wrote wrote) {
            write(wrote);
        } else if (fact instanceof Event.Cancelled cancelled) {
            cancel(cancelled);
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().forEach(this::settle);
        } else if (fact instanceof Event.Purged purged) {
            rows.values().removeIf(row -> isPurgeable(row, purged.before()));
        } else if (fact instanceof Event.Acquired acquired) {
            acquired.shards().forEach(shard -> leases.put(shard, new Lease(event.process(), acquired.until())));
        } else if (fact instanceof Event.Renewed renewed) {
            leases.replaceAll((shard, lease) ->
                    lease.process.equals(event.process()) ? new Lease(lease.process, renewed.until()) : lease);
        } else if (fact instanceof Event.Released released) {
            released.shards()
                    .forEach(shard -> leases.computeIfPresent(
                            shard, (same, lease) -> lease.process.equals(event.process()) ? null : lease));
        } else if (fact instanceof Event.Read read && read.isForOthers()) {
            readForOthers
                    .computeIfAbsent(event.process(), process -> new ArrayList<>())
                    .addAll(read.timers());
        } else if (fact instanceof Event.Read) {
            reads.put(event.process(), event);
            readForOthers.remove(event.process());
        } else if (fact instanceof Event.StoreClockSet set) {
            storeClockWasSet = true;
            mostAhead = set.ahead().compareTo(mostAhead) > 0 ? set.ahead() : mostAhead;
        } else if (fact instanceof Event.Phase phase && phase.name().equals("calm")) {
            storeClockWasSet = false;
        }
    }

    /**
     * Returns whether nodes may not know the true time, because the store's clock was set and the calm is yet to come.
     */
    boolean isTimeUncertain() {
        return storeClockWasSet;
    }

    /** Returns the latest time that a node may take for the time of an event. */
    Instant latest(Event event) {
        return isTimeUncertain() ? event.at().plus(mostAhead) : event.at();
    }

    private void write(Event.Wrote wrote) {
        if (ScheduleDecision.writes(wrote.result())) {
            NewTimer timer = kept(wrote.timer(), rows.get(wrote.timer().key()));
            rows.put(
                    timer.key(),
                    new Row(timer, TimerState.SCHEDULED, 0, timer.content().dueAt(), null));
            accepted.put(wrote.result().envelopeId(), timer);
        }
    }

    /** A timer whose recurrence is the same stays at its occurrence. */
    private static NewTimer kept(NewTimer timer, @Nullable Row row) {
        String recurrence = timer.content().recurrence();
        String before = row == null ? null : row.timer.content().recurrence();
        if (row == null || row.state != TimerState.SCHEDULED || recurrence == null || before == null) {
            return timer;
        }
        if (!isSameRule(Recurrence.parse(recurrence), Recurrence.parse(before))) {
            return timer;
        }
        return timer.withContent(
                TimerContents.at(timer.content(), row.timer.content().dueAt()));
    }

    /** Another catch-up is no other recurrence. */
    private static boolean isSameRule(Recurrence one, Recurrence other) {
        return one.catchUp(CatchUp.ALL).equals(other.catchUp(CatchUp.ALL));
    }

    private void cancel(Event.Cancelled cancelled) {
        rows.computeIfPresent(
                cancelled.key(),
                (key, row) -> cancels(cancelled, row)
                        ? new Row(row.timer, TimerState.CANCELLED, row.attempt, null, cancelled.now())
                        : row);
    }

    static boolean cancels(Event.Cancelled cancelled, Row row) {
        boolean recurs = row.timer.content().recurrence() != null;
        return row.state == TimerState.SCHEDULED && (recurs || !isInDelivery(cancelled, row));
    }

    static boolean isInDelivery(Event.Cancelled cancelled, Row row) {
        return cancelled.inDelivery().isPresent() && cancelled.inDelivery().getAsLong() == row.timer.generation();
    }

    private void settle(Settlement settlement) {
        Row row = rows.get(settlement.key());
        if (row == null || !row.isScheduled(settlement.generation())) {
            return;
        }
        if (settlement instanceof Settlement.Ended ended) {
            rows.put(ended.key(), new Row(row.timer, ended.state(), ended.attempt(), null, ended.at()));
        } else if (settlement instanceof Settlement.Retried retried) {
            rows.put(
                    retried.key(), new Row(row.timer, TimerState.SCHEDULED, retried.attempt(), retried.wakeAt(), null));
        } else if (settlement instanceof Settlement.Moved moved) {
            move(moved, row.timer);
        } else if (settlement instanceof Settlement.Advanced advanced) {
            advance(advanced.next(), row.timer);
        } else {
            rows.remove(settlement.key());
        }
    }

    private void move(Settlement.Moved moved, NewTimer from) {
        NewTimer timer = new NewTimer(
                from.key(),
                from.shard(),
                TimerContents.at(from.content(), moved.dueAt()),
                moved.nextGeneration(),
                from.registeredAt(),
                from.rearm());
        rows.put(moved.key(), new Row(timer, TimerState.SCHEDULED, 0, moved.dueAt(), null));
        ScheduleResult named = new ScheduleResult(
                moved.key(), ScheduleOutcome.RESCHEDULED, TimerState.SCHEDULED, moved.nextGeneration());
        accepted.put(named.envelopeId(), timer);
    }

    private void advance(StoredTimer next, NewTimer from) {
        NewTimer timer = new NewTimer(
                from.key(), from.shard(), next.content(), next.generation(), from.registeredAt(), from.rearm());
        rows.put(next.key(), new Row(timer, TimerState.SCHEDULED, next.attempt(), next.wakeAt(), null));
        ScheduleResult named =
                new ScheduleResult(next.key(), ScheduleOutcome.RESCHEDULED, TimerState.SCHEDULED, next.generation());
        accepted.put(named.envelopeId(), timer);
    }

    static boolean isPurgeable(Row row, Instant before) {
        return row.settledAt != null && row.state != TimerState.DEAD && row.settledAt.isBefore(before);
    }

    /** Returns whether the settlement would be written. */
    public boolean applies(Settlement settlement) {
        Row row = rows.get(settlement.key());
        return row != null && row.isScheduled(settlement.generation());
    }

    /** Returns whether the process holds the lease of the shard at this moment. */
    public boolean isHeld(int shard, Event by) {
        Lease lease = leases.get(shard);
        return lease != null && lease.process.equals(by.process()) && !lease.until.isBefore(by.at());
    }

    @Nullable
    Lease lease(int shard) {
        return leases.get(shard);
    }

    /** Returns the timers of the process's last read, and of the search for other tenants that followed it. */
    List<StoredTimer> lastRead(String process) {
        Event event = reads.get(process);
        List<StoredTimer> all = new ArrayList<>(readForOthers.getOrDefault(process, List.of()));
        if (event != null && event.fact() instanceof Event.Read read) {
            all.addAll(read.timers());
        }
        return all;
    }

    /** Returns the time of the process's last read; {@link Instant#MIN} if it has never read. */
    Instant lastReadTime(String process) {
        Event event = reads.get(process);
        return event != null && event.fact() instanceof Event.Read read
                ? read.query().now()
                : Instant.MIN;
    }

    /** Returns whether a timer is scheduled with this generation. */
    boolean stands(long generation) {
        return rows.values().stream().anyMatch(row -> row.isScheduled(generation));
    }

    /** Returns whether the process's last read was at this very time. */
    boolean hasJustRead(Event now) {
        Event event = reads.get(now.process());
        return event != null && event.at().equals(now.at());
    }

    /** Returns the number of the event at which the process last read; -1 if it has never read. */
    int lastReadAt(String process) {
        Event event = reads.get(process);
        return event == null ? -1 : event.number();
    }

    /** Returns the schedule from which an envelope was made. */
    NewTimer of(Envelope envelope) {
        NewTimer timer = accepted.get(envelope.id());
        if (timer == null) {
            throw new Violation(envelope.key(), "envelope %s is of no accepted schedule", envelope.id());
        }
        return timer;
    }
}
