package dev.duetime.specification.cluster;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store whose reads take time for each row that they pass over, as those of a database do. */
final class PassedRows extends PassThroughStore {
    private final TestClock clock;
    private final Duration each;
    private Duration read = Duration.ZERO;
    private long passed;
    private long reads;

    PassedRows(TestClock clock, Duration each) {
        super(new InMemoryScheduleStore(clock));
        this.clock = clock;
        this.each = each;
    }

    /** Sets how long each read takes, whatever it passes over. */
    void eachRead(Duration takes) {
        read = takes;
    }

    /** Returns how many reads there were since the last call. */
    long takeReads() {
        long taken = reads;
        reads = 0;
        return taken;
    }

    /** Returns how many rows were skipped since the last call. */
    long takePassed() {
        long taken = passed;
        passed = 0;
        return taken;
    }

    @Override
    public DueTimers due(DueQuery query) {
        DueTimers found = intact.due(query);
        reads++;
        if (!read.isZero()) {
            clock.linger(read);
        }
        if (!query.but().isNothing()) {
            List<StoredTimer> timers = found.timers();
            Instant last =
                    timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
            Instant to = found.more() && last != null ? last : query.now();
            long left = intact
                    .due(new DueQuery(query.queue(), query.shards(), query.from(), to, Integer.MAX_VALUE))
                    .timers()
                    .stream()
                    .filter(timer -> query.but().contains(timer))
                    .count();
            passed += left;
            clock.linger(each.multipliedBy(left));
        }
        return found;
    }
}
