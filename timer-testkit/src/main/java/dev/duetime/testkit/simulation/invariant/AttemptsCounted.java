package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An envelope's attempt is one more than those on record, or that which its process has counted in advance, a retry
 * adds one, and none is spent but by a delivery or by a takeover from a node that may have died of it; by a delivery
 * only if something else got through, in the same turn or a short while ago. A node that has lost its lease meanwhile
 * may set the count of the new owner back.
 */
final class AttemptsCounted implements Invariant {
    /** Something got through so short a while ago that a retry which fails is no sign of an outage. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    private final Map<Long, Integer> spendable = new HashMap<>();
    /** When shards were taken over, by shard. */
    private final Map<Integer, List<Instant>> takeovers = new HashMap<>();

    /** When each process published a generation last, by process. */
    private final Map<String, Map<Long, Integer>> published = new HashMap<>();

    /** Which process has counted the attempt of a generation before it began. */
    private final Map<Long, String> inAdvance = new HashMap<>();

    private final Map<String, Integer> gotThrough = new HashMap<>();
    private final Map<String, Instant> gotThroughAt = new HashMap<>();
    private int lostAcquires;

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Acquired acquired) {
            acquired.shards().stream()
                    .filter(shard -> model.lease(shard) != null)
                    .forEach(shard -> takeovers
                            .computeIfAbsent(shard, same -> new ArrayList<>())
                            .add(event.at()));
        } else if (fact instanceof Event.Broken broken && broken.call() == StoreCall.ACQUIRE) {
            // Its process may find shards that it owns, and cannot know whose they were: it counts as for a takeover.
            lostAcquires++;
        } else if (fact instanceof Event.Called called) {
            called.batch().forEach(each -> called(each, event, model));
        } else if (fact instanceof Event.Answered answered && !answered.refused()) {
            gotThrough.put(event.process(), event.number());
            gotThroughAt.put(event.process(), event.at());
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> settled(each, event, model));
        }
    }

    private void called(Envelope envelope, Event event, Model model) {
        long generation = model.of(envelope).generation();
        Integer last = published
                .computeIfAbsent(event.process(), process -> new HashMap<>())
                .put(generation, event.number());
        boolean first = last == null || last < model.lastReadAt(event.process());
        Row row = model.rows.get(envelope.key());
        if (first) {
            spendable.merge(generation, 1, Integer::sum);
        }
        int before = event.process().equals(inAdvance.get(generation)) ? 0 : 1;
        if (first && row != null && row.isScheduled(generation) && envelope.attempt() != row.attempt() + before) {
            throw new Violation(
                    envelope.key(),
                    "generation %d is delivered as attempt %d, but %d are on record: event %d",
                    generation,
                    envelope.attempt(),
                    row.attempt(),
                    event.number());
        }
    }

    private void settled(Settlement settlement, Event event, Model model) {
        Row row = Objects.requireNonNull(model.rows.get(settlement.key()));
        if (settlement instanceof Settlement.Retried retried && retried.wakeAt().equals(row.wakeAt())) {
            if (retried.attempt() > row.attempt()) {
                inAdvance.put(retried.generation(), event.process());
            }
        } else {
            inAdvance.remove(settlement.generation());
        }
        boolean stale = !model.isHeld(row.timer().shard(), event);
        if (settlement instanceof Settlement.Retried retried && !stale) {
            long most = spendable.getOrDefault(retried.generation(), 0)
                    + takeovers.getOrDefault(row.timer().shard(), List.of()).stream()
                            .filter(at -> !at.isBefore(row.timer().registeredAt()))
                            .count()
                    + lostAcquires;
            boolean counted = retried.wakeAt().equals(row.wakeAt());
            Instant last = gotThroughAt.get(event.process());
            boolean recent = last != null && !event.at().isAfter(last.plus(RECENT));
            boolean alone = gotThrough.getOrDefault(event.process(), -1) < model.lastReadAt(event.process())
                    && !recent
                    && retried.attempt() > row.attempt();
            if (retried.attempt() > most || (!counted && alone)) {
                throw new Violation(
                        retried.key(),
                        "generation %d has %d attempts on record after %d deliveries and takeovers%s: event %d",
                        retried.generation(),
                        retried.attempt(),
                        most,
                        alone && !counted ? ", though nothing got through" : "",
                        event.number());
            }
        }
    }
}
