package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.store.Revival;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    public int deliverNow(List<Revival> timers, Instant now) {
        return store.onTable(table -> {
            int moved = 0;
            for (Revival each : timers) {
                StoredTimer waiting = table.get(each.key());
                if (waiting != null
                        && matches(waiting, each.generation(), state -> state == TimerState.SCHEDULED)
                        && canBeDelivered(waiting, now)) {
                    table.put(InMemoryRows.dueNow(waiting, each.newGeneration(), now));
                    moved++;
                }
            }
            return moved;
        });
    }

    private static boolean canBeDelivered(StoredTimer waiting, Instant now) {
        Instant wakeAt = waiting.wakeAt();
        boolean isEarly =
                waiting.content().recurrence() != null && waiting.dueAt().isAfter(now);
        return wakeAt != null && wakeAt.isAfter(now) && !isEarly;
    }

    @Override
    public int reschedule(List<Revival> timers, Instant dueAt) {
        return store.onTable(table -> {
            int moved = 0;
            for (Revival each : timers) {
                StoredTimer waiting = table.get(each.key());
                if (waiting != null
                        && matches(waiting, each.generation(), state -> state == TimerState.SCHEDULED)
                        && !table.isStarted(waiting)
                        && canBeMoved(waiting, dueAt)) {
                    table.put(InMemoryRows.movedTo(waiting, each.newGeneration(), dueAt));
                    moved++;
                }
            }
            return moved;
        });
    }

    private static boolean canBeMoved(StoredTimer waiting, Instant dueAt) {
        Instant expiresAt = waiting.content().expiresAt();
        return waiting.content().recurrence() == null
                && (expiresAt == null || !expiresAt.isBefore(dueAt))
                && !(waiting.dueAt().equals(dueAt) && dueAt.equals(waiting.wakeAt()));
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

    @Override
    public void putOccurrences(List<Occurrence> occurrences) {
        store.onTable(table -> {
            occurrences.forEach(each -> table.history()
                    .computeIfAbsent(each.key(), first -> new TreeMap<>())
                    .put(each.dueAt(), each));
            return true;
        });
    }

    @Override
    public int forgetOccurrences(Instant before, int limit) {
        return store.onTable(table -> {
            List<Occurrence> old = table.history().values().stream()
                    .flatMap(each -> each.values().stream())
                    .filter(each -> each.endedAt().isBefore(before))
                    .sorted(Comparator.comparing(Occurrence::endedAt))
                    .limit(limit)
                    .toList();
            old.forEach(each -> {
                Map<Instant, Occurrence> ofTimer = table.history().get(each.key());
                if (ofTimer != null) {
                    ofTimer.remove(each.dueAt());
                }
            });
            return old.size();
        });
    }

    @Override
    public void putSamples(List<NodeSample> samples) {
        store.onTable(table -> {
            samples.forEach(each -> table.samples().put(each.queue() + '\n' + each.nodeId(), each));
            return true;
        });
    }

    @Override
    public List<NodeSample> samples() {
        return store.onTable(table -> List.copyOf(table.samples().values()));
    }

    @Override
    public void forgetSamples(Instant before) {
        store.onTable(table ->
                table.samples().values().removeIf(each -> each.takenAt().isBefore(before)));
    }

    @Override
    public TimerViews views() {
        return new InMemoryViews(store);
    }
}
