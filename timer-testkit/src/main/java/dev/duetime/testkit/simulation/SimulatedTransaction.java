package dev.duetime.testkit.simulation;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Fact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A transaction that one process has begun. Faults may happen before and after its calls. Its facts are recorded when
 * it commits.
 */
final class SimulatedTransaction implements OwnTransaction {
    private final OwnTransaction own;
    private final NodeProcess process;
    private final List<Fact> facts = new ArrayList<>();

    SimulatedTransaction(OwnTransaction own, NodeProcess process) {
        this.own = own;
        this.process = process;
    }

    @Override
    public TimerWrites writes() {
        return new Writes(own.writes());
    }

    @Override
    public Transaction transaction() {
        return own.transaction();
    }

    @Override
    public boolean isLost() {
        return own.isLost();
    }

    @Override
    public void commit() {
        process.call(
                StoreCall.COMMIT,
                () -> {
                    own.commit();
                    return true;
                },
                done -> {
                    facts.forEach(process::note);
                    return null;
                });
    }

    @Override
    public void close() {
        own.close();
    }

    private final class Writes implements TimerWrites {
        private final TimerWrites writes;

        Writes(TimerWrites writes) {
            this.writes = writes;
        }

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            List<TimerKey> keys = timers.stream().map(NewTimer::key).toList();
            return process.call(
                    StoreCall.SCHEDULE,
                    () -> {
                        process.awaitRows(StoreCall.SCHEDULE, keys, HeldRows.LONGEST);
                        return writes.schedule(timers);
                    },
                    results -> {
                        for (int i = 0; i < timers.size(); i++) {
                            facts.add(new Event.Wrote(timers.get(i), results.get(i)));
                        }
                        return null;
                    });
        }

        @Override
        public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
            return process.call(StoreCall.CANCEL, () -> writes.cancel(key, now, inDelivery), result -> {
                facts.add(new Event.Cancelled(key, now, inDelivery, result));
                return null;
            });
        }

        @Override
        public Optional<StoredTimer> find(TimerKey key) {
            return process.call(StoreCall.FIND, () -> writes.find(key), found -> null);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            return process.call(
                    StoreCall.SETTLE,
                    () -> {
                        process.awaitRowsOf(settlements);
                        return writes.settle(settlements);
                    },
                    count -> {
                        facts.add(new Event.Settled(settlements, count));
                        return null;
                    });
        }

        @Override
        public Correlated correlated() {
            Correlated correlated = writes.correlated();
            return new Correlated() {
                @Override
                public void lock(String queue, Collection<String> correlationKeys) {
                    process.call(
                            StoreCall.LOCK,
                            () -> {
                                correlated.lock(queue, correlationKeys);
                                return true;
                            },
                            done -> null);
                }

                @Override
                public Optional<StoredTimer> waiting(
                        String queue, String tenantId, String correlationKey, String type) {
                    return process.call(
                            StoreCall.WAITING,
                            () -> correlated.waiting(queue, tenantId, correlationKey, type),
                            found -> null);
                }
            };
        }

        @Override
        public ListStore todos() {
            return writes.todos();
        }
    }
}
