package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rule that nobody starves. In calm a process begins timers of other tenants at no more than a few instants while a
 * timer of a tenant waits that it may have read. Timers of higher priority may overtake. A timer that failed, recurs,
 * expires or has a parallel key may have to wait for something else.
 */
final class EachTenantInTurn implements Invariant {
    /**
     * Two turns of each tenant that the users have, and some more. A tenant may have had turns before the others
     * because of its priorities. Then it waits until they have had as many.
     */
    private static final int MOST_TURNS = 9;

    /** At which event each generation was written. */
    private final Map<Long, Integer> writtenAt = new HashMap<>();

    /** The timers in calls, by process and call. */
    private final Map<String, Map<Integer, Set<TimerKey>>> inCalls = new HashMap<>();

    /** At which instants others have begun since the tenant waits, by process and tenant. */
    private final Map<String, Map<String, Set<Instant>>> passed = new HashMap<>();

    /** The generations whose outcome may wait for a row that another transaction holds. */
    private final Set<Long> accepted = new HashSet<>();

    private boolean calm;

    @Override
    public void see(Event event, Model model) {
        String process = event.process();
        if (event.fact() instanceof Event.Phase phase) {
            calm = phase.name().equals("calm") || phase.name().equals("quiet");
            passed.clear();
        } else if (event.fact() instanceof Event.Wrote wrote && ScheduleDecision.writes(wrote.result())) {
            // A timer that was due before it was scheduled lies behind the present: the search for it takes longer.
            boolean isLate = wrote.timer().content().dueAt().isBefore(event.at());
            writtenAt.put(wrote.timer().generation(), isLate ? Integer.MAX_VALUE : event.number());
        } else if (event.fact() instanceof Event.Accepted delivered) {
            accepted.add(model.of(delivered.envelope()).generation());
        } else if (event.fact() instanceof Event.Life) {
            inCalls.remove(process);
            passed.remove(process);
        } else if (event.fact() instanceof Event.Answered answered) {
            inCalls.getOrDefault(process, new HashMap<>()).remove(answered.call());
        } else if (event.fact() instanceof Event.Called called) {
            Set<TimerKey> keys = called.batch().stream().map(Envelope::key).collect(Collectors.toSet());
            inCalls.computeIfAbsent(process, each -> new HashMap<>()).put(called.call(), keys);
            if (calm) {
                began(called.batch(), event, model);
            }
        }
    }

    private void began(List<Envelope> batch, Event event, Model model) {
        Map<String, TimerKey> keys = new HashMap<>();
        Map<String, Integer> waiting = waiting(event, model, keys);
        batch.forEach(each -> waiting.remove(each.key().tenantId()));
        Map<String, Set<Instant>> turns = passed.computeIfAbsent(event.process(), each -> new HashMap<>());
        turns.keySet().retainAll(waiting.keySet());
        waiting.forEach((tenant, priority) -> {
            boolean overtakes =
                    batch.stream().allMatch(each -> model.of(each).content().priority() <= priority);
            if (overtakes) {
                Set<Instant> others = turns.computeIfAbsent(tenant, each -> new HashSet<>());
                others.add(event.at());
                check(others, keys.get(tenant), event);
            }
        });
    }

    private static void check(Set<Instant> others, @Nullable TimerKey waiting, Event event) {
        if (others.size() > MOST_TURNS) {
            throw new Violation(
                    waiting,
                    "%s began timers of others at %d instants while the tenant of %s waited: event %d",
                    event.process(),
                    others.size(),
                    waiting,
                    event.number());
        }
    }

    /**
     * Returns the highest priority of what waits, by tenant.
     *
     * @param keys receives a timer of each tenant
     */
    private Map<String, Integer> waiting(Event event, Model model, Map<String, TimerKey> keys) {
        Set<TimerKey> busy = inCalls.getOrDefault(event.process(), Map.of()).values().stream()
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        int readAt = model.lastReadAt(event.process());
        Instant readTime = model.lastReadTime(event.process());
        Map<String, Integer> waiting = new HashMap<>();
        model.rows.forEach((key, row) -> {
            NewTimer timer = row.timer();
            boolean isRead = row.wakeAt() != null
                    && !row.wakeAt().isAfter(readTime)
                    && row.isScheduled(timer.generation())
                    && writtenAt.getOrDefault(timer.generation(), Integer.MAX_VALUE) < readAt;
            if (isRead
                    && row.attempt() == 0
                    && timer.content().parallelKey() == null
                    && timer.content().recurrence() == null
                    && timer.content().expiresAt() == null
                    && !busy.contains(key)
                    && !accepted.contains(timer.generation())
                    && model.isHeld(timer.shard(), event)) {
                waiting.merge(key.tenantId(), timer.content().priority(), Math::max);
                keys.put(key.tenantId(), key);
            }
        });
        return waiting;
    }
}
