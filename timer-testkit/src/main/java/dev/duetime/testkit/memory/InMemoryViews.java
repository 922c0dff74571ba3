package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.internal.Limits;
import dev.duetime.internal.ViewLimits;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reads for operators, in memory. Thread-safe: under the lock of the store. */
final class InMemoryViews implements TimerViews {
    private static final Comparator<StoredTimer> IN_ORDER =
            Comparator.comparing(InMemoryIndexes::wakeAt).thenComparing(StoredTimer::key);

    private final InMemoryScheduleStore store;

    InMemoryViews(InMemoryScheduleStore store) {
        this.store = store;
    }

    @Override
    public List<TimerSummary> timers(TimerQuery query) {
        return store.query(query).stream().map(TimerSummary::of).toList();
    }

    @Override
    public List<TimerSummary> upcoming(UpcomingQuery query) {
        return store.onTable(table -> scheduled(table, query.queue())
                .filter(timer -> isAfter(timer, query))
                .sorted(IN_ORDER)
                .limit(query.limit())
                .map(table::shown)
                .map(TimerSummary::of)
                .toList());
    }

    private static boolean isAfter(StoredTimer timer, UpcomingQuery query) {
        int order = InMemoryIndexes.wakeAt(timer).compareTo(query.from());
        return order > 0 || (order == 0 && (query.after() == null || timer.key().compareTo(query.after()) > 0));
    }

    private static Stream<StoredTimer> scheduled(InMemoryTable table, String queue) {
        return table.matching(TimerQuery.all().queue(queue).state(TimerState.SCHEDULED), null);
    }

    @Override
    public BoundedCount countUpTo(TimerQuery query, int most) {
        ViewLimits.count(most);
        return store.onTable(table -> {
            long found = table.matching(query, null).limit(most + 1L).count();
            return new BoundedCount(Math.min(found, most), found <= most);
        });
    }

    @Override
    public DeadGroups deadGroups(TimerQuery query) {
        return store.onTable(table -> {
            Map<DeadGroup, List<StoredTimer>> groups = table.matching(query.state(TimerState.DEAD), null)
                    .collect(Collectors.groupingBy(InMemoryViews::group));
            List<DeadGroup> counted = new ArrayList<>();
            groups.forEach((group, timers) -> counted.add(new DeadGroup(
                    group.queue(),
                    group.type(),
                    group.errorClass(),
                    timers.size(),
                    timers.stream()
                            .map(StoredTimer::failure)
                            .flatMap(Stream::ofNullable)
                            .map(StoredTimer.Failure::lastAt)
                            .max(Comparator.naturalOrder())
                            .orElse(null))));
            return new DeadGroups(counted, true);
        });
    }

    private static DeadGroup group(StoredTimer timer) {
        StoredTimer.Failure failure = timer.failure();
        return new DeadGroup(
                timer.content().queue(), timer.content().type(), failure == null ? "" : failure.errorClass(), 0, null);
    }

    @Override
    public RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        ViewLimits.page(limit);
        TimerQuery scheduled = TimerQuery.all().state(TimerState.SCHEDULED);
        TimerQuery query = tenantId == null ? scheduled : scheduled.tenantId(tenantId);
        List<TimerSummary> page = store.onTable(table -> table.matching(query, after)
                .filter(timer -> timer.content().recurrence() != null)
                .limit(limit)
                .map(table::shown)
                .map(TimerSummary::of)
                .toList());
        return new RecurringTimers(
                page, page.size() == limit ? page.get(limit - 1).key() : null);
    }

    @Override
    public List<Occurrence> occurrences(TimerKey key) {
        Limits.given("key", key);
        return store.onTable(
                table -> table.history().getOrDefault(key, new TreeMap<>()).descendingMap().values().stream()
                        .limit(ViewLimits.OCCURRENCES)
                        .toList());
    }

    @Override
    public List<TodoListSummary> todoLists(Instant now) {
        Limits.instant("now", now);
        return store.onTable(table -> table.todos().all()).stream()
                .collect(Collectors.groupingBy(item -> item.key().list(), TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(list -> summary(list.getKey(), list.getValue(), now))
                .toList();
    }

    private static TodoListSummary summary(String list, List<ListItem> items, Instant now) {
        long overdue =
                items.stream().filter(item -> !item.overdueAt().isAfter(now)).count();
        return new TodoListSummary(
                list,
                new BoundedCount(items.size(), true),
                new BoundedCount(overdue, true),
                items.stream()
                        .map(ListItem::overdueAt)
                        .min(Comparator.naturalOrder())
                        .orElse(null));
    }

    @Override
    public List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit) {
        ViewLimits.page(limit);
        ListItem last = after == null ? null : new ListItem(new ListKey(list, after.id()), after.overdueAt());
        return store.todos().overdue(list, Limits.LATEST, last, limit).stream()
                .map(item -> new TodoListSummary.Item(item.key().id(), item.overdueAt()))
                .toList();
    }

    @Override
    public List<DueCount> forecast(String queue, Instant from, Duration width, int slots) {
        ViewLimits.forecast(queue, from, width, slots);
        return store.onTable(table -> {
            List<DueCount> counts = new ArrayList<>();
            for (int i = 0; i < slots; i++) {
                Instant begin = from.plus(width.multipliedBy(i));
                Instant end = begin.plus(width);
                long timers = scheduled(table, queue)
                        .map(InMemoryIndexes::wakeAt)
                        .filter(wakeAt -> !wakeAt.isBefore(begin) && wakeAt.isBefore(end))
                        .count();
                counts.add(new DueCount(begin, end, timers, true));
            }
            return counts;
        });
    }
}
