package dev.duetime.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.TimerKey;
import dev.duetime.hosts.HostSet;
import dev.duetime.specification.StoppedClock;
import dev.duetime.specification.hosts.AcrossHosts;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.contract.HostsAsOneStore;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import dev.duetime.testkit.fault.Damage;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of every store, on two stores in memory. */
@ExtendWith(AcrossHosts.class)
class HostSetContractTest extends ScheduleStoreContract {
    private final InMemoryScheduleStore a = new InMemoryScheduleStore(new StoppedClock());
    private final InMemoryScheduleStore b = new InMemoryScheduleStore(new StoppedClock());
    private final HostSet hosts =
            HostSet.builder().host("a", a).host("b", b).lookEverywhere().build();
    private final ScheduleStore store = new HostsAsOneStore(hosts);

    @Override
    protected ScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (OwnTransaction transaction = hosts.begin()) {
            R result = work.apply(transaction.transaction());
            if (commit) {
                transaction.commit();
            }
            return result;
        }
    }

    @Override
    protected void damage(TimerKey key, Damage damage) {
        assumeTrue(damage != Damage.INVALID_KEY, "keys of this store are always valid");
        (a.find(key).isPresent() ? a : b).damage(key, damage);
    }
}
