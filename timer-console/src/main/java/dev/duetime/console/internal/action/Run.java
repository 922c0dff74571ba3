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
    private final Question question;
    private final BoundedCount expected;
    private final Instant began;

    // Mutable state.
    private final AtomicLong changed = new AtomicLong();
    private volatile boolean stopping;
    private volatile @Nullable Instant ended;
    private volatile @Nullable String failure;

    Run(String id, Question question, BoundedCount expected, Instant began) {
        this.id = id;
        this.question = question;
        this.expected = expected;
        this.began = began;
    }

    /** Runs it, unless it was stopped while it waited for its turn. */
    void execute(TimerAdmin admin, Supplier<Instant> now) {
        try {
            if (stopping) {
                return;
            }
            TimerAdmin watched = admin.by(user()).watched(batch -> {
                changed.addAndGet(batch);
                return !stopping;
            });
            operation().run(watched, query(), time());
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "{} of timers by operator {} failed: {}",
                    operation().word(),
                    Printable.line(user()),
                    e.getClass().getName());
            failure = e.getClass().getSimpleName() + "; the batches before it stay, and it may be repeated";
        } finally {
            ended = now.get();
        }
    }

    /** Returns whether the run was begun by the same question, and was neither stopped nor failed. */
    boolean answers(Question other) {
        return question.name() != null && question.equals(other) && !stopping && failure == null;
    }

    /** Ends the run after its current batch. Does nothing if it has ended. */
    public void stop() {
        if (ended == null) {
            stopping = true;
        }
    }

    /** Returns its name, which no run of another console or another time has. */
    public String id() {
        return id;
    }

    /** Returns what it does. */
    public Operation operation() {
        return question.operation();
    }

    /** Returns which timers it changes. */
    public TimerQuery query() {
        return question.query();
    }

    /** Returns how many matched before it began. */
    public BoundedCount expected() {
        return expected;
    }

    /** Returns who began it. */
    public String user() {
        return question.user();
    }

    /** Returns when it began. */
    public Instant began() {
        return began;
    }

    /** Returns the new due time of a reschedule; otherwise when it began. */
    public Instant time() {
        Instant to = question.to();
        return to == null ? began : to;
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
