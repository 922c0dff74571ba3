package dev.duetime.testkit.simulation;

import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.fault.StoreCall;
import java.util.Collection;
import java.util.List;

/** The hints between nodes, as one process sends and reads them. A fault loses some of them without an error. */
final class SimulatedWakeUps implements WakeUps {
    private final WakeUps wakeUps;
    private final NodeProcess process;

    SimulatedWakeUps(WakeUps wakeUps, NodeProcess process) {
        this.wakeUps = wakeUps;
        this.process = process;
    }

    @Override
    public boolean areKept() {
        return wakeUps.areKept();
    }

    @Override
    public void send(Collection<WakeUp> hints) {
        process.call(
                StoreCall.SEND_HINTS,
                () -> {
                    if (!process.losesHints()) {
                        wakeUps.send(hints);
                    }
                    return hints.size();
                },
                count -> null);
    }

    @Override
    public List<Sent> sent() {
        return process.call(StoreCall.READ_HINTS, wakeUps::sent, sent -> null);
    }
}
