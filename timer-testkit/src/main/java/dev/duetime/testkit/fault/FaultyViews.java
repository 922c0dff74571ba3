package dev.duetime.testkit.fault;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.admin.UpcomingQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reads for operators as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyViews implements TimerViews {
    private final TimerViews views;
    private final StoreFaults faults;

    FaultyViews(TimerViews views, StoreFaults faults) {
        this.views = views;
        this.faults = faults;
    }

    @Override
    public List<TimerSummary> timers(TimerQuery query) {
        return faults.call(StoreCall.QUERY, () -> views.timers(query));
    }

    @Override
    public List<TimerSummary> upcoming(UpcomingQuery query) {
        return faults.call(StoreCall.COUNT, () -> views.upcoming(query));
    }

    @Override
    public BoundedCount countUpTo(TimerQuery query, int most) {
        return faults.call(StoreCall.COUNT, () -> views.countUpTo(query, most));
    }

    @Override
    public DeadGroups deadGroups(TimerQuery query) {
        return faults.call(StoreCall.COUNT, () -> views.deadGroups(query));
    }

    @Override
    public List<DueCount> forecast(String queue, Instant from, Duration width, int slots) {
        return faults.call(StoreCall.COUNT, () -> views.forecast(queue, from, width, slots));
    }

    @Override
    public RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        return faults.call(StoreCall.COUNT, () -> views.recurring(tenantId, after, limit));
    }

    @Override
    public List<Occurrence> occurrences(TimerKey key) {
        return faults.call(StoreCall.COUNT, () -> views.occurrences(key));
    }

    @Override
    public List<TodoListSummary> todoLists(Instant now) {
        return faults.call(StoreCall.COUNT, () -> views.todoLists(now));
    }

    @Override
    public List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit) {
        return faults.call(StoreCall.COUNT, () -> views.todoItems(list, after, limit));
    }
}
