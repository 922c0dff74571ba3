package dev.duetime.engine.hosts;

import dev.duetime.Clock;
import dev.duetime.ScheduleResult;
import dev.duetime.engine.schedule.CollisionRetry;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.internal.RetryTurns;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.internal.inside.HostsWrite;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;

/** Timers that one call schedules on several hosts, each part through the engine of its host. Used by one thread. */
final class HostBatch {
    private final HostEngines engines;
    private final List<NewTimer> timers;
    private final SortedMap<String, List<Integer>> places;

    /**
     * Creates the batch.
     *
     * @param places the indexes of the timers by their hosts
     */
    HostBatch(HostEngines engines, List<NewTimer> timers, SortedMap<String, List<Integer>> places) {
        this.engines = engines;
        this.timers = timers;
        this.places = places;
    }

    /** Returns the timers of a host; an empty list if no timer belongs to it. */
    List<NewTimer> part(String host) {
        return places.getOrDefault(host, List.of()).stream().map(timers::get).toList();
    }

    /** Collects the results of each host, and returns them in the order of the timers. */
    List<ScheduleResult> results(Function<String, List<ScheduleResult>> ofHost) {
        ScheduleResult[] results = new ScheduleResult[timers.size()];
        places.forEach((host, indexes) -> {
            List<ScheduleResult> answers = ofHost.apply(host);
            for (int i = 0; i < answers.size(); i++) {
                results[indexes.get(i)] = answers.get(i);
            }
        });
        return List.of(results);
    }

    /** Stores all timers, by one transaction on each host. */
    List<ScheduleResult> store(Hosts hosts, Clock clock, RetryTurns retries) {
        places.keySet().forEach(host -> engines.call(host, Function.identity()));
        SortedMap<String, List<Merging.Stored>> stored;
        try (CollisionRetry retry = new CollisionRetry(clock, retries)) {
            stored = hosts.write(places.keySet(), new ByEngines(hosts, retry));
        }
        return results(host -> Objects.requireNonNull(stored.get(host)).stream()
                .map(Merging.Stored::result)
                .toList());
    }

    /** A write in which each host's engine merges its timers, and notifies listeners and loops. */
    private final class ByEngines implements HostsWrite<List<Merging.Stored>> {
        private final Hosts hosts;
        private final CollisionRetry retry;

        ByEngines(Hosts hosts, CollisionRetry retry) {
            this.hosts = hosts;
            this.retry = retry;
        }

        @Override
        public void prepare(OwnTransaction transaction) {
            transaction.waitBriefly();
        }

        @Override
        public List<Merging.Stored> write(String host, TimerWrites writes) {
            return engines.of(host).schedules().schedule(part(host), writes);
        }

        @Override
        public List<Merging.Stored> writeAlone(String host) {
            return engines.of(host)
                    .schedules()
                    .scheduleAlone(
                            part(host), Objects.requireNonNull(hosts.stores().get(host)));
        }

        @Override
        public void committed(String host, List<Merging.Stored> result) {
            engines.of(host).schedules().scheduled(part(host), result);
        }

        @Override
        public void collided(CollisionException collision) {
            retry.after(collision);
        }
    }
}
