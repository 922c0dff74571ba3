package dev.duetime.lab.benchmark.scenario.call;

import dev.duetime.store.DueQuery;
import dev.duetime.store.DueStore;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.WakeUp;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The calls of the loops: the poll, leases, hints, limits, merges and to-do lists. Not thread-safe. */
final class LoopCalls {
    private static final String QUEUE = "queue-1";
    private static final String QUEUE_AT_ONE_INSTANT = "queue-night";
    private static final List<Integer> SHARDS = IntStream.range(0, 64).boxed().toList();

    private final ScheduleStore store;
    private final Instant now;
    private final Map<String, Call> calls = new LinkedHashMap<>();

    private LoopCalls(ScheduleStore store, Instant now) {
        this.store = store;
        this.now = now;
    }

    /** Lists the calls. */
    static Map<String, Call> all(ScheduleStore store, Instant now) {
        LoopCalls calls = new LoopCalls(store, now);
        calls.polls();
        calls.leases();
        calls.hints();
        calls.limits();
        calls.merges();
        calls.lists();
        return calls.calls;
    }

    private void put(String name, IntFunction<Object> call) {
        calls.put(name, Call.of(call));
    }

    private void run(String name, Runnable call) {
        put(name, i -> {
            call.run();
            return i;
        });
    }

    private void polls() {
        Instant tomorrow = now.plus(Duration.ofDays(1));
        for (String queue : List.of(QUEUE, QUEUE_AT_ONE_INSTANT)) {
            put("due 500 of " + queue, i -> store.due(new DueQuery(queue, SHARDS, tomorrow, 500)));
        }
        DueQuery.Exclusion but =
                new DueQuery.Exclusion(Set.of("p-1"), Set.of("type-1"), Set.of("tenant-0"), Integer.MAX_VALUE);
        put("due 500 but for some", i -> store.due(new DueQuery(QUEUE, SHARDS, Instant.MIN, tomorrow, 500, but)));
        DueQuery.Exclusion others =
                new DueQuery.Exclusion(Set.of(), Set.of(), Set.of("tenant-0"), Integer.MAX_VALUE, Set.of("p-1", "p-2"));
        put("due 500 of some keys", i -> store.due(new DueQuery(QUEUE, SHARDS, Instant.MIN, tomorrow, 500, others)));
        put(
                "due 500 up to some bytes",
                i -> store.due(new DueQuery(
                        QUEUE, SHARDS, Instant.MIN, tomorrow, 500, DueQuery.Exclusion.NONE, 1 << 20, Map.of())));
        put("due of none", i -> store.due(new DueQuery(QUEUE, SHARDS, now.minus(Duration.ofDays(9)), 500)));
        put("next due", i -> store.nextDue(QUEUE, SHARDS, now));
        put("next due of all", i -> store.nextDue(QUEUE, SHARDS, Instant.MIN));
        put("pending", i -> store.pending(QUEUE, SHARDS, 156));
        put(
                "pending of two",
                i -> store.pending(List.of(
                        new DueStore.PendingCount(QUEUE, SHARDS, 156),
                        new DueStore.PendingCount(QUEUE_AT_ONE_INSTANT, SHARDS, 156))));
        put("expire", i -> store.expire(QUEUE, i % SHARDS.size(), now, true, 1_000));
        put("snapshot", i -> store.snapshot(List.of(QUEUE, QUEUE_AT_ONE_INSTANT), ""));
    }

    private void leases() {
        ShardLeases leases = store.leases();
        put("leases: open", i -> leases.open(QUEUE, OptionalInt.of(64)));
        run("leases: restore", () -> leases.restore(QUEUE, 64));
        put("leases: acquire", i -> leases.acquire(QUEUE, SHARDS, "node", now, now.plusSeconds(10)));
        put("leases: renew", i -> leases.renew("node", now.plusSeconds(20)));
        put("leases: view", i -> leases.view(QUEUE));
        put("leases: views", i -> leases.views(List.of(QUEUE, QUEUE_AT_ONE_INSTANT)));
        put("leases: free", i -> leases.free());
        put("leases: now", i -> leases.now());
        run("leases: release", () -> leases.release(QUEUE, SHARDS, "node"));
        run("leases: let go", leases::letGo);
    }

    private void hints() {
        run("hints: send", () -> store.wakeUps().send(List.of(new WakeUp(QUEUE, Set.of(1), now))));
        put("hints: sent", i -> store.wakeUps().sent());
    }

    /** Each node of twenty changes a limit. */
    private void limits() {
        Permits permits = store.permits();
        put("limits: ledgers", i -> permits.ledgers());
        calls.put("limits: change", time -> {
            Permits.Limit limit = new Permits.Limit(QUEUE, "calls");
            long version = permits.ledgers().stream()
                    .filter(each -> each.limit().equals(limit))
                    .mapToLong(Permits.Ledger::version)
                    .findFirst()
                    .orElse(Permits.UNWRITTEN);
            Permits.Share share =
                    new Permits.Share("node-" + time % 20, 1, 2, 100, 0, now, now.plus(Duration.ofMinutes(1)));
            Permits.Change change = new Permits.Change(limit, version, now, share, Set.of());
            return () -> permits.change(List.of(change));
        });
    }

    private void merges() {
        put("merge: look", i -> {
            try (OwnTransaction transaction = store.begin()) {
                var correlated = transaction.writes().correlated();
                correlated.lock(QUEUE, Set.of("c-" + i));
                var waiting = correlated.waiting(QUEUE, "tenant-7", "c-" + i, "type-3");
                transaction.commit();
                return waiting;
            }
        });
    }

    private void lists() {
        put("to-do list: put 100", i -> {
            store.todos().put(items(i));
            return i;
        });
        put("to-do list: find", i -> store.todos().find(new ListKey("list-1", "8")));
        put("to-do list: overdue", i -> store.todos().overdue("list-1", now, null, 100));
        put("to-do list: next overdue", i -> store.todos().overdue("list-1", now, items(i).get(0), 100));
        put("to-do list: remove unmoved 100", i -> store.todos().removeUnmoved(items(i)));
        put(
                "to-do list: remove 100",
                i -> store.todos().remove(items(i).stream().map(ListItem::key).toList()));
    }

    private List<ListItem> items(int time) {
        return IntStream.range(0, 100)
                .mapToObj(i -> new ListItem(new ListKey("list-1", "item-" + time + "-" + i), now.minusSeconds(1 + i)))
                .toList();
    }
}
