package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The rule for attempts. An envelope's attempt is one more than the stored attempts, or the one that its process has
 * counted in advance. A retry adds one, and only if another timer got through, in the same turn or a short time before.
 * A node that has lost its lease may reset the count of the new owner. It may also deliver timers that it has read
 * before, without knowledge of that count. If a process has counted an attempt and never begun it, another one that
 * counts the same attempt makes it.
 */
final class AttemptsCounted implements Invariant {
    /** How long a success proves that a later failure is no outage. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    /** When each process last published a generation. */
    private final Map<String, Map<Long, Integer>> published = new HashMap<>();

    /** The count in advance of the attempt of a generation. */
    private final Map<Long, Counted> inAdvance = new HashMap<>();

    /** The shards that other processes took since the last read of a process, by process. */
    private final Map<String, Set<Integer>> lost = new HashMap<>();

    private final Map<String, Integer> gotThrough = new HashMap<>();
    private final Map<String, Instant> gotThroughAt = new HashMap<>();
    private final Map<String, Instant> calledAt = new HashMap<>();

    /** A process that counted an attempt in advance, by the event with that number. */
    private record Counted(String process, int event) {}

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Read) {
            lost.remove(event.process());
        } else if (fact instanceof Event.Acquired acquired) {
            acquired.shards().forEach(shard -> lost(shard, event, model));
        } else if (fact instanceof Event.Called called) {
            calledAt.put(event.process(), event.at());
            called.batch().forEach(each -> called(each, event, model));
        } else if (fact instanceof Event.Answered answered && !answered.refused()) {
            gotThrough.put(event.process(), event.number());
            gotThroughAt.put(event.process(), event.at());
        } else if (fact instanceof Event.Answered
                && gotThrough.getOrDefault(event.process(), -1) > model.lastReadAt(event.process())) {
            // The process notes a success only at the end of its turn.
            gotThroughAt.put(event.process(), event.at());
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> settled(each, event, model));
        }
    }

    private void lost(int shard, Event event, Model model) {
        Model.Lease before = model.lease(shard);
        if (before != null && !before.process().equals(event.process())) {
            lost.computeIfAbsent(before.process(), process -> new HashSet<>()).add(shard);
        }
    }

    private void called(Envelope envelope, Event event, Model model) {
        long generation = model.of(envelope).generation();
        Integer last = published
                .computeIfAbsent(event.process(), process -> new HashMap<>())
                .put(generation, event.number());
        boolean first = last == null || last < model.lastReadAt(event.process());
        Row row = model.rows.get(envelope.key());
        Counted counted = inAdvance.get(generation);
        int before = counted != null && counted.process().equals(event.process()) ? 0 : 1;
        boolean stale = lost.getOrDefault(event.process(), Set.of())
                .contains(model.of(envelope).shard());
        if (first
                && !stale
                && row != null
                && row.isScheduled(generation)
                && envelope.attempt() != row.attempt() + before) {
            throw new Violation(
                    envelope.key(),
                    "generation %d is delivered as attempt %d, but %d are on record: event %d",
                    generation,
                    envelope.attempt(),
                    row.attempt(),
                    event.number());
        }
    }

    /** Returns whether the process that counted an attempt of this generation in advance has begun it. */
    private boolean hasBegun(long generation) {
        Counted counted = inAdvance.get(generation);
        return counted == null
                || published.getOrDefault(counted.process(), Map.of()).getOrDefault(generation, -1) > counted.event();
    }

    private void settled(Settlement settlement, Event event, Model model) {
        Row row = Objects.requireNonNull(model.rows.get(settlement.key()));
        if (settlement instanceof Settlement.Retried retried && retried.wakeAt().equals(row.wakeAt())) {
            // With a failure, it is not a count: the attempt met an outage.
            boolean same =
                    retried.failure() == null && retried.attempt() == row.attempt() && !hasBegun(retried.generation());
            if (retried.attempt() > row.attempt() || same) {
                inAdvance.put(retried.generation(), new Counted(event.process(), event.number()));
            } else if (retried.attempt() < row.attempt()) {
                // The node has lost its lease.
                inAdvance.remove(retried.generation());
            }
        } else {
            inAdvance.remove(settlement.generation());
        }
        boolean stale = !model.isHeld(row.timer().shard(), event);
        if (settlement instanceof Settlement.Retried retried && !stale) {
            boolean counted = retried.wakeAt().equals(row.wakeAt());
            Instant last = gotThroughAt.get(event.process());
            Instant called = calledAt.getOrDefault(event.process(), event.at());
            boolean recent = last != null && !called.isAfter(last.plus(RECENT));
            boolean alone = gotThrough.getOrDefault(event.process(), -1) < model.lastReadAt(event.process())
                    && !recent
                    && retried.attempt() > row.attempt();
            if (!counted && alone) {
                throw new Violation(
                        retried.key(),
                        "generation %d has %d attempts on record, though nothing got through: event %d",
                        retried.generation(),
                        retried.attempt(),
                        event.number());
            }
        }
    }
}
