package dev.duetime.testkit;

import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Stores that read, purge or lease wrongly. */
final class BrokenReads {

    private BrokenReads() {}

    static final class NewestFirst extends PassThroughStore {
        NewestFirst(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            List<StoredTimer> all = new ArrayList<>(intact.due(
                            new DueQuery(query.queue(), query.shards(), query.from(), query.now(), Integer.MAX_VALUE))
                    .timers());
            Collections.reverse(all);
            boolean more = all.size() > query.limit();
            return new DueTimers(more ? List.copyOf(all.subList(0, query.limit())) : all, more);
        }
    }

    static final class DueEarly extends PassThroughStore {
        DueEarly(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            Instant early = query.now().plusNanos(1_000);
            return intact.due(new DueQuery(query.queue(), query.shards(), query.from(), early, query.limit()));
        }
    }

    static final class FromTheOldest extends PassThroughStore {
        FromTheOldest(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            return intact.due(new DueQuery(query.queue(), query.shards(), query.now(), query.limit()));
        }
    }

    static final class MoreForgotten extends PassThroughStore {
        MoreForgotten(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            return new DueTimers(intact.due(query).timers(), false);
        }
    }

    static final class EndedAreDue extends PassThroughStore {
        EndedAreDue(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            List<StoredTimer> awake = intact.query(TimerQuery.all().queue(query.queue())).stream()
                    .filter(timer -> timer.wakeAt() != null && !query.now().isBefore(timer.wakeAt()))
                    .toList();
            return new DueTimers(awake, false);
        }
    }

    static final class UnreadableForgotten extends PassThroughStore {
        UnreadableForgotten(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = intact.due(query);
            return new DueTimers(due.timers(), due.more());
        }
    }

    static final class NextDueAgain extends PassThroughStore {
        NextDueAgain(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            return intact.nextDue(queue, shards, after.equals(Instant.MIN) ? after : after.minusNanos(1));
        }
    }

    /** A store that reads a timer in the shards where it was before, too. */
    static final class FormerShards extends PassThroughStore {
        private final Map<TimerKey, Set<Integer>> shards = new ConcurrentHashMap<>();

        FormerShards(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            timers.forEach(each -> shards.computeIfAbsent(each.key(), key -> ConcurrentHashMap.newKeySet())
                    .add(each.shard()));
            return intact.schedule(timers);
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers all =
                    intact.due(new DueQuery(query.queue(), OtherShards.ALL, query.from(), query.now(), query.limit()));
            List<StoredTimer> found = all.timers().stream()
                    .filter(each ->
                            shards.getOrDefault(each.key(), Set.of()).stream().anyMatch(query.shards()::contains))
                    .toList();
            return new DueTimers(found, all.more());
        }
    }

    static final class OtherShards extends PassThroughStore {
        static final List<Integer> ALL = IntStream.range(0, 64).boxed().toList();

        OtherShards(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            return intact.due(new DueQuery(query.queue(), ALL, query.from(), query.now(), query.limit()));
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            return intact.nextDue(queue, ALL, after);
        }
    }

    static final class AllTenants extends PassThroughStore {
        AllTenants(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public List<StoredTimer> query(TimerQuery query) {
            return intact.query(new TimerQuery(
                    query.state(),
                    query.queue(),
                    null,
                    query.type(),
                    query.dueFrom(),
                    query.dueBefore(),
                    query.after(),
                    query.limit(),
                    query.scans(),
                    query.filters()));
        }
    }

    static final class PurgeEarly extends PassThroughStore {
        PurgeEarly(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public int purge(String queue, Instant before, int limit) {
            return intact.purge(queue, before.plusNanos(1_000), limit);
        }
    }

    static final class TakesHeldShards extends PassThroughStore {
        TakesHeldShards(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Set<Integer> acquire(
                        String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
                    return intact.acquire(queue, shards, node, Instant.MAX, until);
                }
            };
        }
    }

    static final class LeasesEndEarly extends PassThroughStore {
        LeasesEndEarly(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Set<Integer> acquire(
                        String queue, Collection<Integer> shards, String node, Instant now, Instant until) {
                    return intact.acquire(queue, shards, node, now.plusNanos(1_000), until);
                }
            };
        }
    }
}
