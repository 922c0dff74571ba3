package dev.duetime.lab.benchmark.scenario.call;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The calls that read for operators: pages, counts, and the views of a console. Not thread-safe. */
final class OperatorCalls {
    private static final String TENANT = "tenant-7";
    private static final String LARGE_TENANT = "tenant-0";
    private static final String QUEUE = "queue-1";
    /** A queue whose timers are all due at one instant, as those of midnight are. */
    private static final String QUEUE_AT_ONE_INSTANT = "queue-night";

    /** How far a page for operators counts. */
    private static final int MOST = 10_000;

    private static final List<Integer> SHARDS = IntStream.range(0, 64).boxed().toList();
    private final ScheduleStore store;
    private final Instant now;
    private final Map<String, Call> calls = new LinkedHashMap<>();

    private OperatorCalls(ScheduleStore store, Instant now) {
        this.store = store;
        this.now = now;
    }

    /**
     * Lists the calls that read for operators.
     *
     * @param now a time at which the table is filled
     */
    static Map<String, Call> all(ScheduleStore store, Instant now) {
        OperatorCalls calls = new OperatorCalls(store, now);
        calls.pages();
        calls.filters();
        calls.views();
        return calls.calls;
    }

    private void put(String name, IntFunction<Object> call) {
        calls.put(name, Call.of(call));
    }

    /** Adds pages and counts, with each combination of conditions. */
    private void pages() {
        List<@Nullable TimerState> states = new ArrayList<>(List.of(TimerState.values()));
        states.add(null);
        for (TimerState state : states) {
            for (int bits = 0; bits < 16; bits++) {
                TimerQuery query = query(state, bits, TENANT);
                String name = name(state, bits);
                put("page" + name, i -> store.query(next(query, i)));
                put("count" + name, i -> store.admin().count(query));
            }
            put("versions" + name(state, 0), i -> store.admin().versions(next(query(state, 0, TENANT), i), null));
            TimerQuery large = query(state, 1, LARGE_TENANT);
            put("page" + name(state, 1) + " large", i -> store.query(next(large, i)));
            put("count" + name(state, 1) + " large", i -> store.admin().count(large));
        }
    }

    private TimerQuery query(@Nullable TimerState state, int bits, String tenant) {
        TimerQuery query = state == null ? TimerQuery.all() : TimerQuery.all().state(state);
        query = (bits & 1) > 0 ? query.tenantId(tenant) : query;
        query = (bits & 2) > 0 ? query.queue(QUEUE) : query;
        query = (bits & 4) > 0 ? query.type("type-3") : query;
        return (bits & 8) > 0 ? query.due(now, now.plus(Duration.ofMinutes(5))) : query;
    }

    private static String name(@Nullable TimerState state, int bits) {
        return (state == null ? "" : " " + state)
                + ((bits & 1) > 0 ? " tenant" : "")
                + ((bits & 2) > 0 ? " queue" : "")
                + ((bits & 4) > 0 ? " type" : "")
                + ((bits & 8) > 0 ? " due" : "");
    }

    /** Returns the query for a page that begins elsewhere, each second time. */
    private static TimerQuery next(TimerQuery query, int time) {
        String tenant = query.tenantId() == null ? "tenant-" + time * 31 : query.tenantId();
        return time % 2 == 0 ? query : query.after(new TimerKey(tenant, "8"));
    }

    /** Adds pages and counts by the filters that no index answers, and by a prefix of the id, which one does. */
    private void filters() {
        Map<String, UnaryOperator<TimerQuery>> filters = new LinkedHashMap<>();
        filters.put("correlation id", query -> query.correlationId("c-17"));
        filters.put("parallel key", query -> query.parallelKey("p-17"));
        filters.put("error class", query -> query.errorClass("java.io.IOException"));
        filters.put("id prefix", query -> query.idPrefix("a8"));
        List<@Nullable TimerState> states = new ArrayList<>(List.of(TimerState.values()));
        states.add(null);
        filters.forEach((filter, with) -> {
            for (TimerState state : states) {
                for (int bits = 0; bits < 4; bits++) {
                    TimerQuery query = with.apply(query(state, bits, LARGE_TENANT));
                    String name = name(state, bits) + " " + filter;
                    put("page" + name, i -> store.query(next(query, i)));
                    put("list" + name, i -> store.admin().views().timers(next(query, i)));
                    put("count" + name, i -> store.admin().count(query));
                    put("count up to" + name, i -> store.admin().views().countUpTo(query, MOST));
                }
            }
        });
    }

    private void views() {
        TimerViews views = store.admin().views();
        for (String queue : List.of(QUEUE, QUEUE_AT_ONE_INSTANT)) {
            var unused = store.leases().open(queue, OptionalInt.of(SHARDS.size()));
            for (int limit : List.of(100, 1_000)) {
                UpcomingQuery first = UpcomingQuery.of(queue).limit(limit);
                put("upcoming " + limit + " of " + queue, i -> views.upcoming(first));
                put("upcoming, next " + limit + " of " + queue, i -> {
                    List<TimerSummary> page = views.upcoming(first);
                    return page.isEmpty() ? page : views.upcoming(first.after(page.get(page.size() - 1)));
                });
            }
            put("forecast of a day of " + queue, i -> views.forecast(queue, now, Duration.ofHours(1), 24));
            put("forecast of an hour of " + queue, i -> views.forecast(queue, now, Duration.ofMinutes(1), 60));
            put("forecast of a week of " + queue, i -> views.forecast(queue, now, Duration.ofHours(3), 56));
        }
        List<@Nullable TimerState> states = new ArrayList<>(List.of(TimerState.values()));
        states.add(null);
        for (TimerState state : states) {
            for (int bits = 0; bits < 16; bits++) {
                TimerQuery query = query(state, bits, LARGE_TENANT);
                put("count up to" + name(state, bits), i -> views.countUpTo(query, MOST));
            }
        }
        pagesOfOthers(views);
        for (int bits = 0; bits < 16; bits++) {
            TimerQuery query = query(null, bits, LARGE_TENANT);
            put("dead groups" + name(null, bits), i -> views.deadGroups(query));
        }
        TimerQuery failed = TimerQuery.all().errorClass("java.io.IOException");
        put("dead groups error class", i -> views.deadGroups(failed));
    }

    /** Adds the pages of recurring timers, of to-do lists, and of what the nodes did. */
    private void pagesOfOthers(TimerViews views) {
        for (int limit : List.of(50, 1_000)) {
            put("recurring " + limit, i -> views.recurring(null, after(i), limit));
            put("recurring " + limit + " tenant", i -> views.recurring(LARGE_TENANT, null, limit));
            put("items of a to-do list, " + limit, i -> items(views, "list-" + i % 20, limit));
        }
        put("to-do lists", i -> views.todoLists(now));
        put("last occurrences", i -> views.occurrences(TimerKey.of(LARGE_TENANT, "recurring-" + (1 + i))));
        put("samples of all nodes", i -> store.admin().samples());
    }

    private static @Nullable TimerKey after(int time) {
        return time % 2 == 0 ? null : new TimerKey("tenant-" + time * 31, "8");
    }

    /** Reads the first page, and the next one. */
    private static List<TodoListSummary.Item> items(TimerViews views, String list, int limit) {
        List<TodoListSummary.Item> page = views.todoItems(list, null, limit);
        return page.isEmpty() ? page : views.todoItems(list, page.get(page.size() - 1), limit);
    }
}
