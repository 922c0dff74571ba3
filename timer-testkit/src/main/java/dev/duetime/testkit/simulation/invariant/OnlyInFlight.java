package dev.duetime.testkit.simulation.invariant;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The rule that a process publishes only timers of its last read, or of any read if several calls run at once. So only
 * deliveries in flight can arrive after the end of a timer. A process publishes no timer that it has ended itself
 * since, and none that it has reported as {@code CANCELLED}, unless the timer recurs and was in flight.
 */
final class OnlyInFlight implements Invariant {
    private final boolean ofAnyRead;
    private final Map<String, Set<Long>> ended = new HashMap<>();
    private final Map<String, Set<Long>> cancelled = new HashMap<>();
    /** The generation that a cancel ended, by process and key, until the user gets the answer. */
    private final Map<String, Long> cancelling = new HashMap<>();

    OnlyInFlight(boolean ofAnyRead) {
        this.ofAnyRead = ofAnyRead;
    }

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        String process = event.process();
        if (fact instanceof Event.Read) {
            ended.remove(process);
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream()
                    .filter(each -> !(each instanceof Settlement.Retried))
                    .forEach(each -> of(ended, process).add(each.generation()));
        } else if (fact instanceof Event.Cancelled done) {
            Row row = model.rows.get(done.key());
            if (row != null && Model.cancels(done, row) && !Model.isInDelivery(done, row)) {
                cancelling.put(process + done.key(), row.timer().generation());
            }
        } else if (fact instanceof Event.UserCancelled told && told.result() == CancelResult.CANCELLED) {
            Long generation = cancelling.get(process + told.key());
            if (generation != null) {
                of(cancelled, process).add(generation);
            }
        } else if (fact instanceof Event.Called called) {
            called.batch().forEach(each -> check(each, event, model));
        }
    }

    private void check(Envelope envelope, Event event, Model model) {
        long generation = model.of(envelope).generation();
        boolean wasRead = ofAnyRead
                || model.lastRead(event.process()).stream()
                        .mapToLong(StoredTimer::generation)
                        .anyMatch(each -> each == generation);
        String wrong = !wasRead
                ? "has not read it last"
                : of(ended, event.process()).contains(generation)
                        ? "had ended it"
                        : of(cancelled, event.process()).contains(generation) ? "had told a user CANCELLED" : null;
        if (wrong != null) {
            throw new Violation(
                    envelope.key(),
                    "generation %d was published at %s by %s, which %s: event %d",
                    generation,
                    event.at(),
                    event.process(),
                    wrong,
                    event.number());
        }
    }

    private static Set<Long> of(Map<String, Set<Long>> generations, String process) {
        return generations.computeIfAbsent(process, same -> new HashSet<>());
    }
}
