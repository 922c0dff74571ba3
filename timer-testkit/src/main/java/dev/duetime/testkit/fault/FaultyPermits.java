package dev.duetime.testkit.fault;

import dev.duetime.store.Permits;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The shares in limits as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyPermits implements Permits {
    private final Permits permits;
    private final StoreFaults faults;

    FaultyPermits(Permits permits, StoreFaults faults) {
        this.permits = permits;
        this.faults = faults;
    }

    @Override
    public List<Ledger> ledgers() {
        return faults.call(StoreCall.READ_PERMITS, permits::ledgers);
    }

    @Override
    public Set<Limit> change(Collection<Change> changes) {
        return faults.call(StoreCall.CHANGE_PERMITS, () -> permits.change(changes));
    }
}
