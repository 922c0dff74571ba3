package dev.duetime.hosts;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
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
import dev.duetime.internal.Times;
import dev.duetime.internal.ViewLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reads for operators over all hosts. Thread-safe. */
final class HostViews implements TimerViews {
    private final HostStores hosts;

    HostViews(HostStores hosts) {
        this.hosts = hosts;
    }

    @Override
    public List<TimerSummary> timers(TimerQuery query) {
        return HostAdmin.page(each(views -> views.timers(query)), TimerSummary::key, query.limit());
    }

    @Override
    public List<TimerSummary> upcoming(UpcomingQuery query) {
        return each(views -> views.upcoming(query)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing((TimerSummary timer) -> Objects.requireNonNull(timer.wakeAt()))
                        .thenComparing(TimerSummary::key))
                .limit(query.limit())
                .toList();
    }

    @Override
    public BoundedCount countUpTo(TimerQuery query, int most) {
        BoundedCount sum = each(views -> views.countUpTo(query, most)).stream()
                .reduce(new BoundedCount(0, true), BoundedCount::plus);
        return sum.timers() <= most ? sum : new BoundedCount(most, false);
    }

    @Override
    public DeadGroups deadGroups(TimerQuery query) {
        List<DeadGroups> ofHosts = each(views -> views.deadGroups(query));
        List<DeadGroup> groups =
                ofHosts.stream().flatMap(each -> each.groups().stream()).toList();
        return new DeadGroups(groups, ofHosts.stream().allMatch(DeadGroups::isComplete));
    }

    @Override
    public List<DueCount> forecast(String queue, Instant from, Duration width, int slots) {
        List<DueCount> sums = new ArrayList<>();
        for (List<DueCount> ofHost : each(views -> views.forecast(queue, from, width, slots))) {
            for (int i = 0; i < ofHost.size(); i++) {
                DueCount more = ofHost.get(i);
                if (i == sums.size()) {
                    sums.add(more);
                } else {
                    DueCount one = sums.get(i);
                    sums.set(
                            i,
                            new DueCount(
                                    one.from(),
                                    one.before(),
                                    one.timers() + more.timers(),
                                    one.isExact() && more.isExact()));
                }
            }
        }
        return sums;
    }

    @Override
    public RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        List<RecurringTimers> pages = each(views -> views.recurring(tenantId, after, limit));
        // No further than where the first of the hosts stopped.
        TimerKey end = pages.stream()
                .map(RecurringTimers::next)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<TimerSummary> found =
                HostAdmin.page(pages.stream().map(RecurringTimers::timers).toList(), TimerSummary::key, limit).stream()
                        .filter(timer -> end == null || timer.key().compareTo(end) <= 0)
                        .toList();
        boolean isFull = found.size() == limit;
        return new RecurringTimers(found, isFull ? found.get(limit - 1).key() : end);
    }

    /** A timer that moved from host to host has a part of its history on each. */
    @Override
    public List<Occurrence> occurrences(TimerKey key) {
        return each(views -> views.occurrences(key)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Occurrence::dueAt).reversed())
                .limit(ViewLimits.OCCURRENCES)
                .toList();
    }

    @Override
    public List<TodoListSummary> todoLists(Instant now) {
        Map<String, TodoListSummary> sums = new TreeMap<>();
        each(views -> views.todoLists(now)).stream()
                .flatMap(List::stream)
                .forEach(list -> sums.merge(list.list(), list, HostViews::sum));
        return List.copyOf(sums.values());
    }

    private static TodoListSummary sum(TodoListSummary one, TodoListSummary other) {
        return new TodoListSummary(
                one.list(),
                one.open().plus(other.open()),
                one.overdue().plus(other.overdue()),
                Times.earliest(one.first(), other.first()));
    }

    @Override
    public List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit) {
        return each(views -> views.todoItems(list, after, limit)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(TodoListSummary.Item::overdueAt).thenComparing(TodoListSummary.Item::id))
                .limit(limit)
                .toList();
    }

    private <T> List<T> each(Function<TimerViews, T> work) {
        return hosts.each(store -> work.apply(store.admin().views()));
    }
}
