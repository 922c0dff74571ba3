package dev.duetime.testkit.simulation.run;

import dev.duetime.Beta;
import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a {@link History}.
 *
 * @param number its place in the history, from 0
 * @param at the true time
 * @param process which process of which node, {@code node-1#2} for the second one of {@code node-1}; empty for all
 * @param fact what happened
 */
@Beta
public record Event(int number, Instant at, String process, Fact fact) {

    public boolean concerns(TimerKey key) {
        return fact.keys().contains(key);
    }

    @Override
    public String toString() {
        return "%6d %s %-9s %s".formatted(number, at, process, fact);
    }

    /** A fact. Facts of the store are recorded at the moment at which the store did them. */
    public sealed interface Fact {
        /** Returns the keys of the timers that it concerns. */
        default Collection<TimerKey> keys() {
            return List.of();
        }
    }

    /** A phase of the run begins. */
    public record Phase(String name) implements Fact {}

    /** The process began, was killed, closed, paused or hung. */
    public record Life(What what, @Nullable Duration length) implements Fact {
        public enum What {
            STARTED,
            CRASHED,
            CLOSED,
            PAUSED,
            HUNG,
            JUMPED
        }
    }

    /** The clock of the store was set: it is now ahead of the true time by that much, or behind if that is negative. */
    public record StoreClockSet(Duration ahead) implements Fact {}

    /** A call to the store went wrong; {@code done} if only its reply was lost. */
    public record Broken(StoreCall call, boolean done) implements Fact {}

    /** The heap was full in a call to the store by a loop; {@code done} if that was after the call. */
    public record HeapWasFull(StoreCall call, boolean done) implements Fact {}

    /** The store was called while the interrupt flag was set. */
    public record Interrupted(StoreCall call) implements Fact {}

    /** The fact that another transaction begins to hold the row of a timer. */
    public record Held(TimerKey key, Duration length) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(key);
        }
    }

    /** The fact that the database begins to refuse all changes of the row of a timer. */
    public record Refused(TimerKey key, Duration length) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(key);
        }
    }

    /** The store did not write outcomes, because other transactions hold the rows or the database refuses them. */
    public record LeftOut(List<Settlement> settlements) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return settlements.stream().map(Settlement::key).toList();
        }
    }

    /** The store scheduled. */
    public record Wrote(NewTimer timer, ScheduleResult result) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(timer.key());
        }

        @Override
        public String toString() {
            return "store: schedule %s due %s expires %s rearm %s generation %d: %s"
                    .formatted(
                            timer.key(),
                            timer.content().dueAt(),
                            timer.content().expiresAt(),
                            timer.rearm(),
                            timer.generation(),
                            result);
        }
    }

    /** The store cancelled, unless the stored generation is the one in delivery. */
    public record Cancelled(TimerKey key, Instant now, OptionalLong inDelivery, CancelResult result) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(key);
        }
    }

    /** The process is about to read due timers of the shards that it believes to own. */
    public record Asks(Set<Integer> shards) implements Fact {}

    /** The store returned due timers. */
    public record Read(DueQuery query, List<StoredTimer> timers) implements Fact {
        /** Returns whether it is a search for tenants that wait behind the backlog of others. */
        public boolean isForOthers() {
            return !query.but().tenants().isEmpty() && query.from().isBefore(query.now());
        }

        @Override
        public Collection<TimerKey> keys() {
            return timers.stream().map(StoredTimer::key).toList();
        }

        @Override
        public String toString() {
            return "store: due at %s in %s: %s"
                    .formatted(
                            query.now(),
                            query.shards().stream().sorted().toList(),
                            timers.stream()
                                    .map(each -> each.key() + " generation " + each.generation() + " attempt "
                                            + each.attempt())
                                    .toList());
        }
    }

    /** The store settled. */
    public record Settled(List<Settlement> settlements, int count) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return settlements.stream().map(Settlement::key).toList();
        }
    }

    /** The store purged. */
    public record Purged(Instant before, int count) implements Fact {}

    /** The store gave shards. */
    public record Acquired(Set<Integer> shards, Instant now, Instant until) implements Fact {}

    /** The store renewed the process' leases. */
    public record Renewed(Instant until, int count) implements Fact {}

    /** The store wrote shares in limits, which end then unless they are renewed. */
    public record PermitsWritten(Instant until) implements Fact {}

    /** The store took shards back. */
    public record Released(Set<Integer> shards) implements Fact {}

    /** The publisher was called. Calls are numbered. */
    public record Called(int call, List<Envelope> batch) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return batch.stream().map(Envelope::key).toList();
        }

        @Override
        public String toString() {
            return "publisher called, call %d: %s"
                    .formatted(
                            call,
                            batch.stream()
                                    .map(each -> each.key() + " " + each.id() + " attempt " + each.attempt())
                                    .toList());
        }
    }

    /** The publisher accepted. */
    public record Accepted(int call, Envelope envelope) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(envelope.key());
        }

        @Override
        public String toString() {
            return "DELIVERED %s %s attempt %d due %s, call %d"
                    .formatted(
                            envelope.key(),
                            envelope.id(),
                            envelope.attempt(),
                            envelope.event().dueAt(),
                            call);
        }
    }

    /** The publisher returned, or threw. */
    public record Answered(int call, Answer answer) implements Fact {
        /** Returns whether the engine cannot know which envelopes were accepted. */
        public boolean nothingKnown() {
            return answer == Answer.THREW || answer == Answer.NONE;
        }

        /** Returns whether the engine knows of no accepted envelope. */
        public boolean refused() {
            return answer != Answer.RETURNED && answer != Answer.PARTIAL;
        }
    }

    /** The answers of a publisher: it accepted all, named the refused envelopes, threw, or never answered. */
    public enum Answer {
        RETURNED,
        PARTIAL,
        THREW,
        NONE
    }

    /** A handler began to run a step. */
    public record Began(StoredTimer todo) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(todo.key());
        }

        @Override
        public String toString() {
            return "handler: begins %s step %s generation %d attempt %d"
                    .formatted(todo.key(), todo.content().step(), todo.generation(), todo.attempt() + 1);
        }
    }

    /** The run that began with that event has ended, with an outcome; null if it threw or was killed. */
    public record Finished(
            int began, StoredTimer todo, @Nullable Outcome outcome, List<TimerKey> scheduled) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(todo.key());
        }

        @Override
        public String toString() {
            return "handler: ends %s step %s generation %d with %s, schedules %s"
                    .formatted(todo.key(), todo.content().step(), todo.generation(), outcome, scheduled);
        }
    }

    /** A user's schedule returned; one of {@code result} and {@code error} is null. */
    public record UserScheduled(
            TimerKey key,
            int since,
            @Nullable ScheduleResult result,
            @Nullable String error) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(key);
        }
    }

    /** A user's cancel returned; {@code inTurn} if the process was in mid-delivery. */
    public record UserCancelled(
            TimerKey key,
            int since,
            boolean inTurn,
            @Nullable CancelResult result,
            @Nullable String error) implements Fact {
        @Override
        public Collection<TimerKey> keys() {
            return List.of(key);
        }
    }
}
