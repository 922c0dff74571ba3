package dev.duetime.specification;

import dev.duetime.Clock;
import java.time.Instant;

/** A clock that always shows the same time and runs no loops. */
public final class StoppedClock implements Clock {

    @Override
    public Instant now() {
        return Instant.parse("2031-05-06T07:08:09.123456Z");
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public Loop start(String name, Pass pass) {
        throw new UnsupportedOperationException("the clock is stopped");
    }
}
