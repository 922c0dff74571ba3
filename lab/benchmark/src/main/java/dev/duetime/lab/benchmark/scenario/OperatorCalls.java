package dev.duetime.lab.benchmark.scenario;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.store.DueQuery;
import dev.duetime.store.Revival;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerVersion;
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

/** A measurement of each call that reads or changes many timers, several times in a row. Not thread-safe. */
public final class OperatorCalls {
    private static final int TIMES = Integer.getInteger("duetime.operators.times", 30);
    private static final String TENANT = "tenant-7";
    private static final String LARGE_TENANT = "tenant-0";
    private static final String QUEUE = "queue-1";
    /** A queue whose timers are all due at one instant, as those of midnight are. */
    private static final String QUEUE_AT_ONE_INSTANT = "queue-night";

    /** How far a page for operators counts. */
    private static final int MOST = 10_000;

    private static final List<Integer> SHARDS = IntStream.range(0, 64).boxed().toList();
    private static final double NANOS_A_MILLI = 1e6;

    private final ScheduleStore store;
    private final Instant now;
    private final Map<String, IntFunction<Object>> calls = new LinkedHashMap<>();

    /**
     * Lists the calls.
     *
     * @param now the time at which the table was filled
     */
    public OperatorCalls(ScheduleStore store, Instant now) {
        this.store = store;
        this.now = now;
        pages();
        filters();
        views();
        writes();
        loops();
    }

    /**
     * The times of one call.
     *
     * @param first the first one, which makes the plan
     * @param slowest the slowest of the others
     * @param refused how many were refused, since they would be scans
     */
    public record Took(double first, double slowest, int refused) {
        double worst() {
            return Math.max(first, slowest);
        }
    }

    /** Makes all calls. */
    public Map<String, Took> measure() {
        Map<String, Took> all = new LinkedHashMap<>();
        calls.forEach((name, call) -> all.put(name, measure(call)));
        return all;
    }

    private static Took measure(IntFunction<Object> call) {
        double first = 0;
        double slowest = 0;
        int refused = 0;
        for (int i = 0; i < TIMES; i++) {
            long began = System.nanoTime();
            try {
                var unused = call.apply(i);
            } catch (IllegalArgumentException e) {
                refused++;
            }
            double millis = (System.nanoTime() - began) / NANOS_A_MILLI;
            if (i == 0) {
                first = millis;
            } else {
                slowest = Math.max(slowest, millis);
            }
        }
        return new Took(first, slowest, refused);
    }

    /** Adds pages and counts, with each combination of conditions. */
    private void pages() {
        List<@Nullable TimerState> states = new ArrayList<>(List.of(TimerState.values()));
        states.add(null);
        for (TimerState state : states) {
            for (int bits = 0; bits < 16; bits++) {
                TimerQuery query = query(state, bits, TENANT);
                String name = name(state, bits);
                calls.put("page" + name, i -> store.query(next(query, i)));
                calls.put("count" + name, i -> store.admin().count(query));
            }
            calls.put("versions" + name(state, 0), i -> store.admin().versions(next(query(state, 0, TENANT), i), null));
            TimerQuery large = query(state, 1, LARGE_TENANT);
            calls.put("page" + name(state, 1) + " large", i -> store.query(next(large, i)));
            calls.put("count" + name(state, 1) + " large", i -> store.admin().count(large));
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
                    calls.put("page" + name, i -> store.query(next(query, i)));
                    calls.put("count" + name, i -> store.admin().count(query));
                    calls.put("count up to" + name, i -> store.admin().views().countUpTo(query, MOST));
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
                calls.put("upcoming " + limit + " of " + queue, i -> views.upcoming(first));
                calls.put("upcoming, next " + limit + " of " + queue, i -> {
                    List<StoredTimer> page = views.upcoming(first);
                    return page.isEmpty() ? page : views.upcoming(first.after(page.get(page.size() - 1)));
                });
            }
            calls.put("forecast of a day of " + queue, i -> views.forecast(queue, now, Duration.ofHours(1), 24));
            calls.put("forecast of an hour of " + queue, i -> views.forecast(queue, now, Duration.ofMinutes(1), 60));
            calls.put("forecast of a week of " + queue, i -> views.forecast(queue, now, Duration.ofHours(3), 56));
        }
        List<@Nullable TimerState> states = new ArrayList<>(List.of(TimerState.values()));
        states.add(null);
        for (TimerState state : states) {
            for (int bits = 0; bits < 16; bits++) {
                TimerQuery query = query(state, bits, LARGE_TENANT);
                calls.put("count up to" + name(state, bits), i -> views.countUpTo(query, MOST));
            }
        }
        calls.put("recurring", i -> views.recurring(null, null, 50));
        calls.put("recurring tenant", i -> views.recurring(LARGE_TENANT, null, 50));
        calls.put("to-do lists", i -> views.todoLists(now));
        calls.put("items of a to-do list", i -> views.todoItems("list", null, 50));
        calls.put("last occurrences", i -> views.occurrences(TimerKey.of(LARGE_TENANT, "recurring")));
        calls.put("samples of all nodes", i -> store.admin().samples());
        calls.put("dead groups", i -> views.deadGroups(TimerQuery.all()));
        calls.put("dead groups tenant", i -> views.deadGroups(TimerQuery.all().tenantId(LARGE_TENANT)));
        calls.put("dead groups queue", i -> views.deadGroups(TimerQuery.all().queue(QUEUE)));
        calls.put(
                "dead groups error class",
                i -> views.deadGroups(TimerQuery.all().errorClass("java.io.IOException")));
    }

    private void writes() {
        calls.put("deliver now 100", i -> {
            TimerQuery scheduled = TimerQuery.all().state(TimerState.SCHEDULED).limit(100);
            return store.admin()
                    .deliverNow(
                            page(scheduled, i + TIMES).stream()
                                    .map(each -> new Revival(each.key(), each.generation(), each.generation() + 1))
                                    .toList(),
                            now);
        });
        calls.put("purge", i -> store.purge(QUEUE, now.minus(Duration.ofDays(5)), 1_000));
        calls.put("purge nothing", i -> store.purge(QUEUE, now.minus(Duration.ofDays(8)), 1_000));
        TimerQuery scheduled = TimerQuery.all().state(TimerState.SCHEDULED).limit(100);
        calls.put("cancel 100", i -> store.admin().cancel(page(scheduled, i), now));
        TimerQuery dead = TimerQuery.all().state(TimerState.DEAD).limit(1);
        calls.put(
                "revive",
                i -> store.admin()
                        .revive(
                                store.admin().versions(dead, null).timers().stream()
                                        .map(each -> new Revival(each.key(), each.generation(), each.generation() + 1))
                                        .toList(),
                                now));
        TimerQuery cancelled = TimerQuery.all().limit(100);
        calls.put("delete 100", i -> store.admin().delete(page(cancelled, i)));
        calls.put("pause", i -> store.admin().pause("queue-9", new QueuePause(now, "node")));
        calls.put("resume", i -> store.admin().resume("queue-9"));
    }

    private List<TimerVersion> page(TimerQuery query, int time) {
        return store.admin()
                .versions(query.after(new TimerKey("tenant-" + time * 17, "1")), null)
                .timers();
    }

    private void loops() {
        calls.put("due", i -> store.due(new DueQuery(QUEUE, SHARDS, now.plus(Duration.ofDays(1)), 500)));
        calls.put("due of none", i -> store.due(new DueQuery(QUEUE, SHARDS, now.minus(Duration.ofDays(9)), 500)));
        calls.put("next due", i -> store.nextDue(QUEUE, SHARDS, now));
        calls.put("next due of all", i -> store.nextDue(QUEUE, SHARDS, Instant.MIN));
        calls.put("pending", i -> store.pending(QUEUE, SHARDS, 156));
        calls.put("expire", i -> store.expire(QUEUE, i, now, true, 1_000));
        calls.put("find", i -> store.find(new TimerKey(TENANT, "8")));
        calls.put("leases: open", i -> store.leases().open(QUEUE, OptionalInt.of(64)));
        calls.put("leases: acquire", i -> store.leases().acquire(QUEUE, SHARDS, "node", now, now.plusSeconds(10)));
        calls.put("leases: renew", i -> store.leases().renew("node", now.plusSeconds(20)));
        calls.put("leases: view", i -> store.leases().view(QUEUE));
        calls.put("leases: free", i -> store.leases().free());
        calls.put("leases: release", i -> {
            store.leases().release(QUEUE, SHARDS, "node");
            return 1;
        });
    }
}
