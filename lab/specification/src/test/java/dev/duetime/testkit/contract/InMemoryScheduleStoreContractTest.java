package dev.duetime.testkit.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.TimerKey;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.fault.Damage;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.util.function.Function;

class InMemoryScheduleStoreContractTest extends ScheduleStoreContract {
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(new StoppedClock());

    @Override
    protected ScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (InMemoryTransaction transaction = store.begin()) {
            R result = work.apply(transaction);
            if (commit) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            return result;
        }
    }

    @Override
    protected boolean expiresUnread() {
        return true;
    }

    @Override
    protected void damage(TimerKey key, Damage damage) {
        assumeTrue(damage != Damage.INVALID_KEY, "keys of this store are always valid");
        store.damage(key, damage);
    }
}
