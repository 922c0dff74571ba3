package dev.duetime.specification;

import dev.duetime.TimerKey;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** A store in memory in which another transaction holds some rows, so that their outcomes cannot be written. */
public final class HeldRows extends PassThroughStore {
    private Predicate<TimerKey> held;

    public HeldRows(Predicate<TimerKey> held) {
        super(new InMemoryScheduleStore(new TestClock()));
        this.held = held;
    }

    /** Ends the other transaction. */
    public void letGo() {
        held = key -> false;
    }

    @Override
    public int settle(List<Settlement> settlements) {
        if (settlements.stream().map(Settlement::key).anyMatch(held)) {
            throw new LockedException("settle", "a row", new IOException("held"));
        }
        return super.settle(settlements);
    }
}
