package dev.duetime.console.internal.action;

import dev.duetime.TimerQuery;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.internal.Printable;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One operation on many timers, which runs in batches in the background until it is done or stopped. Thread-safe. */
public final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final String id;
    private final Operation operation;
    private final TimerQuery query;
    private final BoundedCount expected;
    private final String user;
    private final Instant began;
    private final Instant time;

    // Mutable state.
    private final AtomicLong changed = new AtomicLong();
    private volatile boolean stopping;
    private volatile @Nullable Instant ended;
    private volatile @Nullable String failure;

    Run(
            String id,
            Operation operation,
            TimerQuery query,
            BoundedCount expected,
            String user,
            Instant began,
            Instant time) {
        this.id = id;
        this.operation = operation;
        this.query = query;
        this.expected = expected;
        this.user = user;
        this.began = began;
        this.time = time;
    }

    /** Runs it, unless it was stopped while it waited for its turn. */
    void execute(TimerAdmin admin, Supplier<Instant> now) {
        try {
            if (stopping) {
                return;
            }
            TimerAdmin watched = admin.by(user).watched(batch -> {
                changed.addAndGet(batch);
                return !stopping;
            });
            operation.run(watched, query, time);
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "{} of timers by operator {} failed: {}",
                    operation.word(),
                    Printable.line(user),
                    e.getClass().getName());
            failure = e.getClass().getSimpleName() + "; the batches before it stay, and it may be repeated";
        } finally {
            ended = now.get();
        }
    }

    /** Ends the run after its current batch. */
    public void stop() {
        stopping = true;
    }

    /** Returns its name, which no run of another console or another time has. */
    public String id() {
        return id;
    }

    /** Returns what it does. */
    public Operation operation() {
        return operation;
    }

    /** Returns which timers it changes. */
    public TimerQuery query() {
        return query;
    }

    /** Returns how many matched before it began. */
    public BoundedCount expected() {
        return expected;
    }

    /** Returns who began it. */
    public String user() {
        return user;
    }

    /** Returns when it began. */
    public Instant began() {
        return began;
    }

    /** Returns the new due time of a reschedule; otherwise when it began. */
    public Instant time() {
        return time;
    }

    /** Returns how many timers it has changed. */
    public long changed() {
        return changed.get();
    }

    /** Returns whether somebody stopped it. */
    public boolean isStopped() {
        return stopping;
    }

    /** Returns when it ended; null while it runs. */
    public @Nullable Instant ended() {
        return ended;
    }

    /** Returns why it failed; null if it did not. */
    public @Nullable String failure() {
        return failure;
    }
}
