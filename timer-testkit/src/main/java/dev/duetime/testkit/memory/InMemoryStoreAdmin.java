package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.store.Revival;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The operations of an operator, in memory. Thread-safe: under the lock of the store. */
final class InMemoryStoreAdmin implements StoreAdmin {
    private final InMemoryScheduleStore store;

    InMemoryStoreAdmin(InMemoryScheduleStore store) {
        this.store = store;
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        return store.onTable(table -> {
            Map<TimerCount, Long> counts = table.matching(query, null)
                    .collect(Collectors.groupingBy(
                            timer -> new TimerCount(timer.content().queue(), timer.state(), 0), Collectors.counting()));
            return counts.entrySet().stream()
                    .map(each ->
                            new TimerCount(each.getKey().queue(), each.getKey().state(), each.getValue()))
                    .toList();
        });
    }

    @Override
    public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
        List<TimerVersion> found = store.onTable(table -> table.matching(query, query.after())
                .filter(table::isInKnownState)
                .filter(timer -> endedBefore == null || hasEndedBefore(timer, endedBefore))
                .limit(query.limit())
                .map(timer -> new TimerVersion(
                        timer.key(),
                        timer.generation(),
                        timer.state(),
                        timer.content().recurrence() != null))
                .toList());
        boolean isFull = found.size() == query.limit();
        return new TimerVersion.Page(found, isFull ? found.get(found.size() - 1).key() : null);
    }

    private static boolean hasEndedBefore(StoredTimer timer, Instant time) {
        Instant settledAt = timer.settledAt();
        return settledAt != null && settledAt.isBefore(time);
    }

    @Override
    public int revive(List<Revival> revivals, Instant now) {
        return store.onTable(table -> {
            int revived = 0;
            for (Revival each : revivals) {
                StoredTimer dead = table.get(each.key());
                if (dead != null
                        && table.isInKnownState(dead)
                        && matches(dead, each.generation(), state -> state == TimerState.DEAD)) {
                    table.put(InMemoryRows.revived(dead, each.newGeneration(), now));
                    revived++;
                }
            }
            return revived;
        });
    }

    @Override
    public int cancel(List<TimerVersion> timers, Instant now) {
        return store.onTable(table -> {
            int cancelled = 0;
            for (TimerVersion each : timers) {
                StoredTimer standing = table.get(each.key());
                if (standing != null && matches(standing, each.generation(), state -> state == TimerState.SCHEDULED)) {
                    table.put(InMemoryRows.cancelled(standing, now));
                    cancelled++;
                }
            }
            return cancelled;
        });
    }

    @Override
    public int delete(List<TimerVersion> timers) {
        return store.onTable(table -> {
            int deleted = 0;
            for (TimerVersion each : timers) {
                StoredTimer ended = table.get(each.key());
                if (ended != null
                        && table.isInKnownState(ended)
                        && matches(ended, each.generation(), TimerState::isTerminal)) {
                    table.remove(ended);
                    deleted++;
                }
            }
            return deleted;
        });
    }

    private static boolean matches(StoredTimer standing, long generation, Predicate<TimerState> state) {
        return standing.generation() == generation && state.test(standing.state());
    }

    @Override
    public boolean pause(String queue, QueuePause pause) {
        return store.onTable(table -> table.pause(queue, pause));
    }

    @Override
    public boolean resume(String queue) {
        return store.onTable(table -> table.resume(queue));
    }
}
