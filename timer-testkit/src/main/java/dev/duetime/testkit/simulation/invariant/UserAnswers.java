package dev.duetime.testkit.simulation.invariant;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rule that users get the answers that the store gave. A timer is too late to be cancelled only if it is in
 * delivery on their node. With several calls at once, a timer that waits for its thread is in delivery, too; no event
 * shows that, so this part is not checked.
 */
final class UserAnswers implements Invariant {
    private final boolean severalCalls;
    private final List<Event> answers = new ArrayList<>();
    private final Map<String, Integer> unsettled = new HashMap<>();
    /** Outcomes whose rows others hold. */
    private final Set<String> setAside = new HashSet<>();

    /** The deliveries of a process that are not settled. It may read more while it settles. */
    private final Set<String> delivered = new HashSet<>();

    /** When a cancel left a scheduled timer, because its node reported it as in delivery. */
    private final Map<String, Integer> spared = new HashMap<>();

    /** Returns those of these timers that were delivered and not settled at that moment. */
    private final Set<String> sparedInDelivery = new HashSet<>();

    UserAnswers(boolean severalCalls) {
        this.severalCalls = severalCalls;
    }

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Wrote) {
            answers.add(event);
        } else if (fact instanceof Event.Cancelled cancelled) {
            answers.add(event);
            Row row = model.rows.get(cancelled.key());
            if (row != null && row.state() == TimerState.SCHEDULED && !Model.cancels(cancelled, row)) {
                String name = event.process() + cancelled.key();
                spared.put(name, event.number());
                if (setAside.contains(name) || delivered.contains(name)) {
                    sparedInDelivery.add(name);
                } else {
                    sparedInDelivery.remove(name);
                }
            }
        } else if (fact instanceof Event.Broken broken && broken.call() == StoreCall.SETTLE) {
            unsettled.put(event.process(), event.number());
        } else if (fact instanceof Event.HeapWasFull full && full.call() == StoreCall.SETTLE) {
            unsettled.put(event.process(), event.number());
        } else if (fact instanceof Event.LeftOut left) {
            left.settlements().forEach(each -> setAside.add(event.process() + each.key()));
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().forEach(each -> {
                setAside.remove(event.process() + each.key());
                delivered.remove(event.process() + each.key());
            });
        } else if (fact instanceof Event.Accepted accepted) {
            delivered.add(event.process() + accepted.envelope().key());
        } else if (fact instanceof Event.UserScheduled said) {
            ScheduleResult result = said.result();
            if (result != null && !hasAnswer(event, said.since(), new Wanted(said.key(), result))) {
                throw new Violation(said.key(), "user was told %s, which the store had not said", result);
            }
        } else if (fact instanceof Event.UserCancelled said) {
            CancelResult result = said.result();
            if (result != null && !hasAnswer(event, said.since(), new Wanted(said.key(), result))) {
                throw new Violation(said.key(), "user was told %s, which the store had not said", result);
            }
            if (spared.getOrDefault(event.process() + said.key(), -1) >= said.since()) {
                checkInDelivery(event, said, model);
            }
        }
    }

    private record Wanted(TimerKey key, Object result) {}

    private boolean hasAnswer(Event event, int since, Wanted wanted) {
        for (int i = answers.size() - 1; i >= 0 && answers.get(i).number() >= since; i--) {
            Event answer = answers.get(i);
            if (answer.process().equals(event.process()) && wanted.equals(answered(answer))) {
                return true;
            }
        }
        return false;
    }

    private static Wanted answered(Event answer) {
        if (answer.fact() instanceof Event.Wrote wrote) {
            return new Wanted(wrote.timer().key(), wrote.result());
        }
        Event.Cancelled cancelled = (Event.Cancelled) answer.fact();
        return new Wanted(cancelled.key(), cancelled.result());
    }

    private void checkInDelivery(Event event, Event.UserCancelled said, Model model) {
        int readAt = model.lastReadAt(event.process());
        boolean wasRead = model.lastRead(event.process()).stream()
                .anyMatch(each -> each.key().equals(said.key()));
        boolean open = unsettled.getOrDefault(event.process(), -1) > readAt;
        boolean movedOn = readAt >= said.since();
        boolean waits = sparedInDelivery.contains(event.process() + said.key());
        if (!severalCalls && !movedOn && !waits && !(wasRead && (open || said.inTurn()))) {
            throw new Violation(
                    said.key(), "user was told %s, but it was not in delivery on %s", said.result(), event.process());
        }
    }
}
