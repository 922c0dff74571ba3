package dev.duetime.testkit.fault;

import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;

/**
 * A transaction that one node has begun, as the node reaches it: through faults. It ends with the process, as a
 * database ends it with the connection. As thread-safe as the transaction.
 */
final class FaultyTransaction implements OwnTransaction {
    private final OwnTransaction own;
    private final StoreFaults faults;

    FaultyTransaction(OwnTransaction own, StoreFaults faults) {
        this.own = own;
        this.faults = faults;
    }

    @Override
    public TimerWrites writes() {
        return new FaultyWrites(own.writes(), faults);
    }

    @Override
    public Transaction transaction() {
        return own.transaction();
    }

    @Override
    public void waitBriefly() {
        own.waitBriefly();
    }

    @Override
    public void waitLonger() {
        own.waitLonger();
    }

    @Override
    public boolean isLost() {
        return own.isLost();
    }

    @Override
    public void commit() {
        faults.run(StoreCall.COMMIT, own::commit);
    }

    @Override
    public void close() {
        own.close();
    }
}
