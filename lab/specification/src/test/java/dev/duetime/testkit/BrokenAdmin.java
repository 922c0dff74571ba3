package dev.duetime.testkit;

import dev.duetime.store.NextDue;
import dev.duetime.store.Revival;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Stores whose operations for operators are wrong. */
final class BrokenAdmin {

    private BrokenAdmin() {}

    static final class RevivesAny extends PassThroughStore {
        RevivesAny(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public StoreAdmin admin() {
            return new PassThroughAdmin(intact.admin()) {
                @Override
                public int revive(List<Revival> revivals, Instant now) {
                    return intact.revive(
                            revivals.stream().map(RevivesAny.this::ofStanding).toList(), now);
                }
            };
        }

        private Revival ofStanding(Revival given) {
            return intact.find(given.key())
                    .map(standing -> new Revival(given.key(), standing.generation(), given.newGeneration()))
                    .orElse(given);
        }
    }

    static final class DeliversEarly extends PassThroughStore {
        DeliversEarly(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public StoreAdmin admin() {
            return new PassThroughAdmin(intact.admin()) {
                @Override
                public int deliverNow(List<Revival> timers, Instant now) {
                    return intact.deliverNow(timers, now.minusMillis(1));
                }
            };
        }
    }

    static final class CancelsAny extends PassThroughStore {
        CancelsAny(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public StoreAdmin admin() {
            return new PassThroughAdmin(intact.admin()) {
                @Override
                public int cancel(List<TimerVersion> timers, Instant now) {
                    return intact.cancel(
                            timers.stream().map(CancelsAny.this::ofStanding).toList(), now);
                }
            };
        }

        private TimerVersion ofStanding(TimerVersion given) {
            return intact.find(given.key())
                    .map(standing ->
                            new TimerVersion(given.key(), standing.generation(), given.state(), given.recurs()))
                    .orElse(given);
        }
    }

    static final class ForgetsPauses extends PassThroughStore {
        ForgetsPauses(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            return new NextDue(intact.nextDue(queue, shards, after).wakeAt(), null);
        }
    }
}
