package dev.duetime.testkit;

import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores that are wrong in what todos need in addition to timers. */
final class BrokenMerges {

    private BrokenMerges() {}

    static Function<InMemoryScheduleStore, ScheduleStore> reads(UnaryOperator<Exclusion> change) {
        return store -> new PassThroughStore(store) {
            @Override
            public DueTimers due(DueQuery query) {
                return intact.due(new DueQuery(
                        query.queue(),
                        query.shards(),
                        query.from(),
                        query.now(),
                        query.limit(),
                        change.apply(query.but())));
            }
        };
    }

    static Exclusion forgetsKeys(Exclusion given) {
        return new Exclusion(Set.of(), given.types(), given.tenants(), given.upTo(), given.only());
    }

    static Exclusion forgetsTypes(Exclusion given) {
        return new Exclusion(given.parallelKeys(), Set.of(), given.tenants(), given.upTo(), given.only());
    }

    static Exclusion forgetsOnly(Exclusion given) {
        return new Exclusion(given.parallelKeys(), given.types(), given.tenants(), given.upTo());
    }

    static Exclusion forgetsPriority(Exclusion given) {
        return new Exclusion(given.parallelKeys(), given.types(), given.tenants(), Integer.MAX_VALUE, given.only());
    }

    static Exclusion leavesOutLess(Exclusion given) {
        return new Exclusion(
                given.parallelKeys(),
                given.types(),
                given.tenants(),
                Math.max(given.upTo(), Integer.MIN_VALUE + 1) - 1,
                given.only());
    }

    static Function<InMemoryScheduleStore, ScheduleStore> advances(UnaryOperator<Advanced> change) {
        return store -> new PassThroughStore(store) {
            @Override
            public int settle(List<Settlement> settlements) {
                return intact.settle(settlements.stream()
                        .map(each -> each instanceof Advanced advanced ? change.apply(advanced) : each)
                        .toList());
            }
        };
    }

    static Advanced inPlace(Advanced given) {
        return new Advanced(given.generation(), with(given.next(), given.next().content(), given.generation()), true);
    }

    static Advanced withAnyPayload(Advanced given) {
        return new Advanced(given.generation(), given.next(), true);
    }

    static Advanced withoutPayload(Advanced given) {
        return new Advanced(given.generation(), given.next(), false);
    }

    private static StoredTimer with(StoredTimer next, TimerContent content, long generation) {
        return new StoredTimer(
                next.key(),
                next.shard(),
                content,
                next.state(),
                generation,
                next.attempt(),
                next.wakeAt(),
                next.registeredAt(),
                null,
                null,
                next.failure());
    }

    static final class StepForgotten extends BrokenWrites.Changed {
        StepForgotten(ScheduleStore intact) {
            super(intact);
        }

        @Override
        NewTimer change(NewTimer timer) {
            TimerContent given = timer.content();
            return timer.withContent(new TimerContent(
                    given.queue(),
                    given.dueAt(),
                    given.expiresAt(),
                    given.type(),
                    given.payload(),
                    given.headers(),
                    given.priority(),
                    given.correlationId(),
                    given.parallelKey(),
                    given.correlationKey(),
                    given.recurrence(),
                    given.catchUp(),
                    null));
        }
    }

    static final class ScopeForgotten extends BrokenWrites.Changed {
        ScopeForgotten(ScheduleStore intact) {
            super(intact);
        }

        @Override
        NewTimer change(NewTimer timer) {
            TimerKey key = TimerKey.of(timer.key().tenantId(), timer.key().timerId());
            return new NewTimer(
                    key, timer.shard(), timer.content(), timer.generation(), timer.registeredAt(), timer.rearm());
        }
    }

    static final class StartsNothing extends PassThroughStore {
        StartsNothing(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public boolean start(TimerKey key, long generation, Instant now) {
            return intact.find(key)
                    .filter(timer -> timer.state() == TimerState.SCHEDULED)
                    .filter(timer -> timer.generation() == generation)
                    .isPresent();
        }
    }

    static final class StartsAnyGeneration extends PassThroughStore {
        StartsAnyGeneration(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public boolean start(TimerKey key, long generation, Instant now) {
            return intact.find(key)
                    .map(timer -> intact.start(key, timer.generation(), now))
                    .orElse(false);
        }
    }

    /** A store that offers the earliest waiting todo for a merge. */
    static final class OffersTheEarliest extends PassThroughStore {
        OffersTheEarliest(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Correlated correlated() {
            return new Correlated() {
                @Override
                public void lock(String queue, Collection<String> correlationKeys) {
                    intact.correlated().lock(queue, correlationKeys);
                }

                @Override
                public Optional<StoredTimer> waiting(
                        String queue, String tenantId, String correlationKey, String type) {
                    return intact
                            .query(TimerQuery.all()
                                    .queue(queue)
                                    .tenantId(tenantId)
                                    .state(TimerState.SCHEDULED))
                            .stream()
                            .filter(timer ->
                                    correlationKey.equals(timer.content().correlationKey()))
                            .min(Comparator.comparing(StoredTimer::dueAt).thenComparing(StoredTimer::key));
                }
            };
        }
    }

    /** A store that locks no correlation key in its own transactions. */
    static final class LocksNothing extends PassThroughStore {
        LocksNothing(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public OwnTransaction begin() {
            return new PassThroughTransaction(intact.begin()) {
                @Override
                public TimerWrites writes() {
                    TimerWrites writes = own.writes();
                    return new PassThroughStore(intact) {
                        @Override
                        public List<ScheduleResult> schedule(List<NewTimer> timers) {
                            return writes.schedule(timers);
                        }

                        @Override
                        public int settle(List<Settlement> settlements) {
                            return writes.settle(settlements);
                        }

                        @Override
                        public Correlated correlated() {
                            Correlated correlated = writes.correlated();
                            return new Correlated() {
                                @Override
                                public void lock(String queue, Collection<String> correlationKeys) {
                                    // Locks nothing.
                                }

                                @Override
                                public Optional<StoredTimer> waiting(
                                        String queue, String tenantId, String correlationKey, String type) {
                                    Optional<StoredTimer> waiting =
                                            correlated.waiting(queue, tenantId, correlationKey, type);
                                    BrokenWrites.letOthersRun();
                                    return waiting;
                                }
                            };
                        }
                    };
                }
            };
        }
    }

    /** A store that writes at once what should be written by the commit. */
    static final class CommitsAtOnce extends PassThroughStore {
        CommitsAtOnce(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public OwnTransaction begin() {
            return new PassThroughTransaction(intact.begin()) {
                @Override
                public TimerWrites writes() {
                    return intact;
                }
            };
        }
    }

    static final class CommitsByClosing extends PassThroughStore {
        CommitsByClosing(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public OwnTransaction begin() {
            return new PassThroughTransaction(intact.begin()) {
                @Override
                public void commit() {}

                @Override
                public void close() {
                    own.commit();
                }
            };
        }
    }

    static class PassThroughTransaction implements OwnTransaction {
        final OwnTransaction own;

        PassThroughTransaction(OwnTransaction own) {
            this.own = own;
        }

        @Override
        public TimerWrites writes() {
            return own.writes();
        }

        @Override
        public Transaction transaction() {
            return own.transaction();
        }

        @Override
        public void commit() {
            own.commit();
        }

        @Override
        public void close() {
            own.close();
        }
    }
}
