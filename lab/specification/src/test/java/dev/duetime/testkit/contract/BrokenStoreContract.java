package dev.duetime.testkit.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.TimerKey;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.ScheduleStoreContractBitesTest;
import dev.duetime.testkit.fault.Damage;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.util.function.Function;

/** The contract for a store that {@link ScheduleStoreContractBitesTest} breaks; run alone, the store is intact. */
public class BrokenStoreContract extends ScheduleStoreContract {
    // Mutable state of the one thread that runs the suites.
    private static Function<InMemoryScheduleStore, ScheduleStore> breaking = intact -> intact;

    private final InMemoryScheduleStore intact = new InMemoryScheduleStore(new StoppedClock());
    private final ScheduleStore broken = breaking.apply(intact);

    public static void breakBy(Function<InMemoryScheduleStore, ScheduleStore> how) {
        breaking = how;
    }

    @Override
    protected ScheduleStore store() {
        return broken;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (InMemoryTransaction transaction = intact.begin()) {
            R result = work.apply(transaction);
            if (commit) {
                transaction.commit();
            }
            return result;
        }
    }

    @Override
    protected void damage(TimerKey key, Damage damage) {
        assumeTrue(damage != Damage.INVALID_KEY, "keys of this store are always valid");
        intact.damage(key, damage);
    }
}
