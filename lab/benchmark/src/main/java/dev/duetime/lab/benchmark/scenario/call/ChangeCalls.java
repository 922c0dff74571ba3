package dev.duetime.lab.benchmark.scenario.call;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Revival;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The calls that change timers: those of callers, of operators, of settling and of housekeeping. Not thread-safe. */
final class ChangeCalls {
    private static final String QUEUE = "queue-1";
    private static final String TENANT = "tenant-7";
    private static final int BATCH = 100;
    private static final int SHARDS = 64;

    private final ScheduleStore store;
    private final Instant now;
    private final Map<String, Call> calls = new LinkedHashMap<>();

    private ChangeCalls(ScheduleStore store, Instant now) {
        this.store = store;
        this.now = now;
    }

    /** Lists the calls. */
    static Map<String, Call> all(ScheduleStore store, Instant now) {
        ChangeCalls calls = new ChangeCalls(store, now);
        calls.callers();
        calls.operators();
        calls.settles();
        calls.housekeeping();
        return calls.calls;
    }

    private void put(String name, IntFunction<Object> call) {
        calls.put(name, Call.of(call));
    }

    private void callers() {
        put("schedule", i -> store.schedule(fresh(1)));
        put("schedule 100", i -> store.schedule(fresh(BATCH)));
        put("schedule 100, shared", i -> store.scheduleShared(fresh(BATCH)));
        put("schedule 100, each", i -> store.scheduleEach(fresh(BATCH)));
        onScheduled("schedule 100 again", 0, timers -> store.schedule(again(timers)));
        onScheduled("cancel", 0, timers -> store.cancel(timers.get(0).key(), now, OptionalLong.empty()));
        onScheduled("start", 0, timers -> {
            StoredTimer first = timers.get(0);
            return store.start(first.key(), first.generation(), now);
        });
        put("find", i -> store.find(new TimerKey(TENANT, "8")));
        onScheduled("find what exists", 0, timers -> store.find(timers.get(0).key()));
    }

    private void operators() {
        StoreAdmin admin = store.admin();
        TimerQuery scheduled = TimerQuery.all().state(TimerState.SCHEDULED).limit(BATCH);
        onPage("deliver now 100", scheduled, 60, page -> admin.deliverNow(revivals(page), now));
        onPage("reschedule 100", scheduled, 0, page -> admin.reschedule(revivals(page), now.plus(Duration.ofDays(2))));
        onPage("cancel 100", scheduled, 30, page -> admin.cancel(page, now));
        TimerQuery dead = TimerQuery.all().state(TimerState.DEAD);
        onPage("revive", dead.limit(1), 0, page -> admin.revive(revivals(page), now));
        onPage("revive 100", dead.limit(BATCH), 0, page -> admin.revive(revivals(page), now));
        onPage("changed at once 100", TimerQuery.all().limit(BATCH), 0, admin::changedAtOnce);
        onPage("delete 100", TimerQuery.all().limit(BATCH), 0, admin::delete);
        put("pause", i -> admin.pause("queue-9", new QueuePause(now, "node")));
        put("resume", i -> admin.resume("queue-9"));
    }

    /** Each settles timers that were scheduled before, as the engine does after a delivery. */
    private void settles() {
        Instant later = now.plus(Duration.ofDays(3));
        settle("ended", each -> new Settlement.Ended(each.key(), each.generation(), TimerState.REACHED, now, 1, null));
        settle(
                "dead",
                each -> new Settlement.Ended(
                        each.key(),
                        each.generation(),
                        TimerState.DEAD,
                        now,
                        9,
                        new StoredTimer.Failure("java.io.IOException: away", now, now)));
        settle("deleted", each -> new Settlement.Deleted(each.key(), each.generation()));
        settle("retried", each -> new Settlement.Retried(each.key(), each.generation(), later, 1, null));
        settle(
                "moved",
                each -> new Settlement.Moved(
                        each.key(), each.generation(), each.generation() + 1, later, null, each.dueAt(), null));
        settle("advanced", each -> new Settlement.Advanced(each.generation(), each, false));
        onScheduled(
                "settle 100 ended, unlocked",
                BATCH,
                timers -> store.settleUnlocked(timers.stream()
                        .<Settlement>map(each ->
                                new Settlement.Ended(each.key(), each.generation(), TimerState.REACHED, now, 1, null))
                        .toList()));
    }

    private void settle(String name, Function<StoredTimer, Settlement> outcome) {
        onScheduled(
                "settle 100 " + name,
                BATCH,
                timers -> store.settle(timers.stream().map(outcome).toList()));
    }

    private void housekeeping() {
        put("purge 1,000", i -> store.purge(QUEUE, now.minus(Duration.ofDays(5)), 1_000));
        put("purge nothing", i -> store.purge(QUEUE, now.minus(Duration.ofDays(8)), 1_000));
        put("purgeable", i -> store.purgeable(Map.of(QUEUE, now.minus(Duration.ofDays(5)))));
        put("purgeable nothing", i -> store.purgeable(Map.of(QUEUE, now.minus(Duration.ofDays(8)))));
        StoreAdmin admin = store.admin();
        List<Integer> slots = Collections.nCopies(NodeSample.SLOTS, 1_000);
        List<Integer> lateness = Collections.nCopies(24, 1_000);
        put("put samples", i -> {
            admin.putSamples(IntStream.range(0, 5)
                    .mapToObj(queue -> new NodeSample("queue-" + queue, "node-" + i, now, 100, slots, lateness))
                    .toList());
            return i;
        });
        put("forget samples", i -> {
            admin.forgetSamples(now.minus(Duration.ofDays(1)));
            return i;
        });
        put("put 1,000 occurrences", i -> {
            admin.putOccurrences(IntStream.range(0, 1_000)
                    .mapToObj(each -> new Occurrence(
                            TimerKey.of(TENANT, "recurring-" + each),
                            now.plusSeconds(i),
                            Occurrence.Outcome.DELIVERED,
                            now.plusSeconds(i + 1L),
                            1,
                            null))
                    .toList());
            return i;
        });
        put("forget 1,000 occurrences", i -> admin.forgetOccurrences(now.minus(Duration.ofHours(9)), 1_000));
    }

    /** Adds a call on a page of timers. The page begins elsewhere each time, and its read is a call of its own. */
    private void onPage(String name, TimerQuery query, int from, Function<List<TimerVersion>, Object> call) {
        calls.put(name, time -> {
            List<TimerVersion> page = page(query, time + from);
            return () -> call.apply(page);
        });
    }

    /** Adds a call on timers that are scheduled and are not measured; 0 for the smallest number. */
    private void onScheduled(String name, int count, Function<List<StoredTimer>, Object> call) {
        calls.put(name, time -> {
            List<NewTimer> timers = fresh(Math.max(1, count));
            store.schedule(timers);
            List<StoredTimer> stored = timers.stream()
                    .map(each -> store.find(each.key()).orElseThrow())
                    .toList();
            return () -> call.apply(stored);
        });
    }

    private List<NewTimer> fresh(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new NewTimer(
                        TimerKey.of(TENANT, UUID.randomUUID().toString()),
                        i % SHARDS,
                        Contents.plain(QUEUE, now.plus(Duration.ofDays(1))),
                        i,
                        now,
                        false))
                .toList();
    }

    private List<NewTimer> again(List<StoredTimer> timers) {
        return timers.stream()
                .map(each -> new NewTimer(
                        each.key(),
                        each.shard(),
                        Contents.plain(QUEUE, now.plus(Duration.ofDays(2))),
                        each.generation() + 1,
                        now,
                        false))
                .toList();
    }

    private List<TimerVersion> page(TimerQuery query, int time) {
        return store.admin()
                .versions(query.after(new TimerKey("tenant-" + time * 17, "1")), null)
                .timers();
    }

    private static List<Revival> revivals(List<TimerVersion> timers) {
        return timers.stream()
                .map(each -> new Revival(each.key(), each.generation(), each.generation() + 1))
                .toList();
    }
}
