package dev.duetime.testkit.simulation.invariant;

import dev.duetime.testkit.simulation.run.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The rule that a process makes no more calls of its publisher at once than it is allowed, and never more that
 * hold timers of one parallel key than the queue allows.
 */
final class CallsAtOnce implements Invariant {
    private final int most;
    private final int mostOfKey;
    /** The parallel keys of each open call, by process. */
    private final Map<String, Map<Integer, Set<String>>> open = new HashMap<>();

    CallsAtOnce(int most, int mostOfKey) {
        this.most = most;
        this.mostOfKey = mostOfKey;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Answered answered) {
            calls(event).remove(answered.call());
        } else if (event.fact() instanceof Event.Called called) {
            Map<Integer, Set<String>> calls = calls(event);
            Set<String> keys = new HashSet<>();
            called.batch().forEach(each -> keys.add(model.of(each).content().parallelKey()));
            keys.remove(null);
            keys.forEach(key -> check(key, calls, event, called));
            calls.put(called.call(), keys);
            if (calls.size() > most) {
                throw new Violation(
                        called.batch().get(0).key(),
                        "%s makes %d calls at once but may make %d: event %d",
                        event.process(),
                        calls.size(),
                        most,
                        event.number());
            }
        }
    }

    private void check(String key, Map<Integer, Set<String>> calls, Event event, Event.Called called) {
        long others = calls.values().stream().filter(each -> each.contains(key)).count();
        if (others >= mostOfKey) {
            throw new Violation(
                    called.batch().get(0).key(),
                    "%s holds parallel key %s in %d calls at once: event %d",
                    event.process(),
                    key,
                    others + 1,
                    event.number());
        }
    }

    private Map<Integer, Set<String>> calls(Event event) {
        return open.computeIfAbsent(event.process(), process -> new HashMap<>());
    }
}
