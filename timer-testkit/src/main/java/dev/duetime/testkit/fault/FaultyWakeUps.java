package dev.duetime.testkit.fault;

import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The hints between nodes as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyWakeUps implements WakeUps {
    private final WakeUps wakeUps;
    private final StoreFaults faults;

    FaultyWakeUps(WakeUps wakeUps, StoreFaults faults) {
        this.wakeUps = wakeUps;
        this.faults = faults;
    }

    @Override
    public boolean areKept() {
        return wakeUps.areKept();
    }

    @Override
    public void send(Collection<WakeUp> hints) {
        faults.run(StoreCall.SEND_HINTS, () -> wakeUps.send(hints));
    }

    @Override
    public List<Sent> sent() {
        return faults.call(StoreCall.READ_HINTS, wakeUps::sent);
    }

    @Override
    public Optional<Receiver> receive() {
        return wakeUps.receive();
    }
}
