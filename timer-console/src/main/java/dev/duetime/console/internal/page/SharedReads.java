package dev.duetime.console.internal.page;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.LimitUse;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueueActivity;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.admin.TodoListSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reads that open pages repeat. An answer is shared for a short time, and requests for the same read wait for each
 * other. So the database is asked once in that time, however many pages are open. Thread-safe.
 */
public final class SharedReads {
    private static final int MOST = 200;

    private final TimerAdmin admin;
    private final SharedAnswers answers;

    /**
     * Creates it.
     *
     * @param fresh for how long an answer is shared
     */
    public SharedReads(TimerAdmin admin, Duration fresh) {
        this.admin = admin;
        answers = new SharedAnswers(fresh, MOST);
    }

    private record Count(TimerQuery query, int most) {}

    private record Forecast(String queue, Duration width, int slots) {}

    List<QueueOverview> queues() {
        return read("queues", admin::queues);
    }

    BoundedCount countUpTo(TimerQuery query, int most) {
        return read(new Count(query, most), () -> admin.views().countUpTo(query, most));
    }

    DeadGroups deadGroups(TimerQuery query) {
        return read(query, () -> admin.views().deadGroups(query));
    }

    /** An answer may begin as long before {@code from} as answers are shared. */
    List<DueCount> forecast(String queue, Instant from, Duration width, int slots) {
        return read(new Forecast(queue, width, slots), () -> admin.views().forecast(queue, from, width, slots));
    }

    List<QueueActivity> activity() {
        return read("activity", admin::activity);
    }

    List<LimitUse> limits() {
        return read("limits", admin::limits);
    }

    private record Recurring(
            @Nullable String tenantId, @Nullable TimerKey after, int limit) {}

    RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        return read(new Recurring(tenantId, after, limit), () -> admin.views().recurring(tenantId, after, limit));
    }

    /** An answer may count what is overdue as of a second ago. */
    List<TodoListSummary> todoLists(Instant now) {
        return read("to-do lists", () -> admin.views().todoLists(now));
    }

    private record Items(String list, TodoListSummary.@Nullable Item after, int limit) {}

    List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit) {
        return read(new Items(list, after, limit), () -> admin.views().todoItems(list, after, limit));
    }

    private record History(TimerKey key) {}

    List<Occurrence> occurrences(TimerKey key) {
        return read(new History(key), () -> admin.views().occurrences(key));
    }

    /** Forgets all answers, because an operator has changed something. */
    public void forget() {
        answers.forget();
    }

    private <T> T read(Object key, Supplier<T> work) {
        return answers.get(key, work);
    }
}
