package dev.duetime.testkit.contract;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.fault.Damage;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The test suite that every store must pass. It tests each sentence of {@link ScheduleStore}, {@link
 * dev.duetime.store.ShardLeases}, {@link dev.duetime.store.StoreAdmin} and {@link dev.duetime.store.ListStore}. Authors
 * of a store extend it and return their store:
 *
 * <pre>{@code
 * class MyScheduleStoreTest extends ScheduleStoreContract {
 *     protected ScheduleStore store() {
 *         return new MyScheduleStore(DATABASE);
 *     }
 * }
 * }</pre>
 *
 * <p>Queues, tenants and nodes have new names in each test, so that one schema serves all tests of all runs and need
 * not be emptied. Up to 8 threads call the store at once; the test of a transaction's isolation calls it from inside
 * {@link #inTransaction}, so that it must have a connection left.
 */
@Beta
public abstract class ScheduleStoreContract {

    /** For the author's class. */
    protected ScheduleStoreContract() {}

    /** Returns the store to test: the same one, or one on the same data, throughout a test. */
    protected abstract ScheduleStore store();

    /**
     * Runs the work inside a transaction that the store can join, begun and ended by the author's own means. By default
     * the tests of such transactions are skipped.
     *
     * @param commit whether it ends with a commit, else with a rollback
     * @param work gets the transaction
     * @return what the work returned
     */
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        return Assumptions.abort("inTransaction is not overridden");
    }

    /**
     * Changes the row of a timer as only others can: by hand, or by another version. By default the tests of such rows
     * are skipped.
     */
    protected void damage(TimerKey key, Damage damage) {
        Assumptions.abort("damage is not overridden");
    }

    /** Returns whether {@code expire} does anything; not by default. */
    protected boolean expiresUnread() {
        return false;
    }

    @Nested
    @DisplayName("views")
    class View extends ViewContract {
        View() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("schedule")
    class Schedule extends ScheduleContract {
        Schedule() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("schedule, over what has ended")
    class ScheduleEnded extends ScheduleEndedContract {
        ScheduleEnded() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("schedule, batches")
    class ScheduleBatch extends ScheduleBatchContract {
        ScheduleBatch() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("scheduleEach")
    class ScheduleEach extends ScheduleEachContract {
        ScheduleEach() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("schedule, races")
    class ScheduleRace extends ScheduleRaceContract {
        ScheduleRace() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("keys")
    class Key extends KeyContract {
        Key() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("keys of todos")
    class TodoKey extends TodoKeyContract {
        TodoKey() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("content")
    class Content extends ContentContract {
        Content() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("cancel")
    class Cancel extends CancelContract {
        Cancel() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("find and query")
    class Query extends QueryContract {
        Query() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("due")
    class Due extends DueContract {
        Due() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("due, page by page")
    class DuePaging extends DuePagingContract {
        DuePaging() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("nextDue")
    class NextDue extends NextDueContract {
        NextDue() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("pending")
    class Pending extends PendingContract {
        Pending() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("settle")
    class Settle extends SettleContract {
        Settle() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("settle, many")
    class SettleMany extends SettleManyContract {
        SettleMany() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("settle, races")
    class SettleRace extends SettleRaceContract {
        SettleRace() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("recurrence")
    class Recurring extends RecurrenceContract {
        Recurring() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("moves of what recurs")
    class Moving extends RecurrenceMoveContract {
        Moving() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("expire")
    class Expire extends ExpireContract {
        Expire() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("purge")
    class Purge extends PurgeContract {
        Purge() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("damaged rows")
    class Damaged extends DamagedContract {
        Damaged() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("damaged rows, due")
    class DamagedDue extends DamagedDueContract {
        DamagedDue() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("leases")
    class Leases extends LeaseContract {
        Leases() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("leases, acquire")
    class LeaseAcquire extends LeaseAcquireContract {
        LeaseAcquire() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, count")
    class Count extends CountContract {
        Count() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, revive")
    class Revive extends ReviveContract {
        Revive() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("placement")
    class Placement extends PlacementContract {
        Placement() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, deliver now")
    class DeliverNow extends DeliverNowContract {
        DeliverNow() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, reschedule")
    class Reschedule extends RescheduleContract {
        Reschedule() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("views of recurring timers and to-do lists")
    class RareView extends RareViewContract {
        RareView() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("history of recurring timers")
    class History extends HistoryContract {
        History() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("samples of nodes")
    class Sample extends SampleContract {
        Sample() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, versions, cancel and delete")
    class Bulk extends BulkContract {
        Bulk() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("damaged rows, admin")
    class DamagedBulk extends DamagedBulkContract {
        DamagedBulk() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("admin, pause and resume")
    class Pause extends PauseContract {
        Pause() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("several queues at once")
    class Snapshot extends SnapshotContract {
        Snapshot() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("hints between nodes")
    class WakeUp extends WakeUpContract {
        WakeUp() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("shares in limits")
    class Permits extends PermitContract {
        Permits() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("the caller's transaction")
    class Joining extends TransactionContract {
        Joining() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("to-do lists")
    class Todo extends TodoContract {
        Todo() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("to-do lists, the caller's transaction")
    class TodoJoining extends TodoTransactionContract {
        TodoJoining() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("steps of todos")
    class Step extends StepContract {
        Step() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("settle, todos that move on")
    class Advance extends AdvanceContract {
        Advance() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("start")
    class Start extends StartContract {
        Start() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("correlated timers")
    class Correlating extends CorrelatedContract {
        Correlating() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("correlated timers, races")
    class CorrelatedRace extends CorrelatedRaceContract {
        CorrelatedRace() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("due, but for some")
    class Excluding extends ExclusionContract {
        Excluding() {
            super(ScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("the store's own transactions")
    class OwnTransactions extends OwnTransactionContract {
        OwnTransactions() {
            super(ScheduleStoreContract.this);
        }
    }
}
