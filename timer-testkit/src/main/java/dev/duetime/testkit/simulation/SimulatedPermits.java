package dev.duetime.testkit.simulation;

import dev.duetime.store.Permits;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shares in limits, as one process reads and changes them. */
final class SimulatedPermits implements Permits {
    private final Permits permits;
    private final NodeProcess process;

    SimulatedPermits(Permits permits, NodeProcess process) {
        this.permits = permits;
        this.process = process;
    }

    @Override
    public List<Ledger> ledgers() {
        return process.call(StoreCall.READ_PERMITS, permits::ledgers, ledgers -> null);
    }

    @Override
    public Set<Limit> change(Collection<Change> changes) {
        return process.call(
                StoreCall.CHANGE_PERMITS,
                () -> {
                    process.waitBeforeWrite();
                    return permits.change(changes);
                },
                written -> fact(changes, written));
    }

    private static Event.@Nullable Fact fact(Collection<Change> changes, Set<Limit> written) {
        return changes.stream()
                .filter(each -> written.contains(each.limit()))
                .flatMap(each -> Stream.ofNullable(each.share()))
                .map(Share::until)
                .min(Comparator.naturalOrder())
                .map(Event.PermitsWritten::new)
                .orElse(null);
    }
}
