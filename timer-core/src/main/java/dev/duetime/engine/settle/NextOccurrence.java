package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.admin.Occurrence.Outcome;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The step of a recurring timer to its next occurrence, which is a new generation. Used by one thread. */
public final class NextOccurrence {
    /** Bounds memory: a cron expression takes some kilobytes. Beyond it texts are parsed again. */
    private static final int MOST_REMEMBERED = 1_000;

    /** No timer can be due later. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private final Generations generations;
    private final OccurrenceLog log;
    private final Map<String, Recurrence> read = new HashMap<>();

    /**
     * Creates the step.
     *
     * @param log receives the outcome of each occurrence
     */
    public NextOccurrence(Generations generations, OccurrenceLog log) {
        this.generations = generations;
        this.log = log;
    }

    /**
     * Returns how a recurring timer recurs.
     *
     * @throws IllegalArgumentException if this version cannot read its text
     * @throws IllegalStateException if the library that reads it is absent
     */
    Recurrence of(StoredTimer timer) {
        String text = Objects.requireNonNull(timer.content().recurrence(), "recurrence");
        if (read.size() > MOST_REMEMBERED) {
            read.clear();
        }
        CatchUp catchUp = Objects.requireNonNull(timer.content().catchUp(), "catchUp");
        return read.computeIfAbsent(text, Recurrence::parse).catchUp(catchUp);
    }

    /**
     * Returns the move of a recurring timer to the following occurrence, which is written instead of its end. That
     * occurrence may already be missed. Returns null if the timer does not recur, or if this was its last occurrence.
     *
     * @param ended the state in which the occurrence ended
     * @param failure the last failure; an occurrence that was delivered forgets it
     */
    @Nullable
    Settlement after(StoredTimer timer, TimerState ended, @Nullable Failure failure) {
        if (timer.content().recurrence() == null) {
            return null;
        }
        boolean delivered = ended == TimerState.REACHED;
        log.add(timer, outcome(ended), delivered ? timer.attempt() + 1 : timer.attempt(), failure);
        Instant previous = delivered ? timer.dueAt() : timer.previousAt();
        Failure kept = delivered ? null : failure;
        return next(timer).map(next -> moved(timer, next, previous, kept)).orElse(null);
    }

    private static Outcome outcome(TimerState ended) {
        // A switch would be a class of its own, which is first initialized here, in a loop.
        if (ended == TimerState.REACHED) {
            return Outcome.DELIVERED;
        }
        return ended == TimerState.EXPIRED ? Outcome.EXPIRED : Outcome.DEAD;
    }

    /**
     * Returns the occurrence after the current one; empty if there is none, or only one that is later than a timer can
     * be due.
     */
    public Optional<Instant> next(StoredTimer timer) {
        return of(timer).next(timer.dueAt()).filter(next -> !next.isAfter(LATEST));
    }

    /**
     * Returns when to read a failed timer again. It is not later than its next occurrence, if that one would replace
     * this one.
     */
    Instant retryAt(StoredTimer timer, Instant retryAt) {
        if (timer.content().recurrence() == null || of(timer).catchUp() == CatchUp.ALL) {
            return retryAt;
        }
        return of(timer).next(timer.dueAt()).filter(retryAt::isAfter).orElse(retryAt);
    }

    /** Notes that the current occurrence is left out. */
    void skips(StoredTimer timer) {
        log.add(timer, Outcome.SKIPPED, timer.attempt(), timer.failure());
    }

    /** Returns the move of a timer to another occurrence, although this one was not delivered. */
    Settlement skipped(StoredTimer timer, Instant to) {
        return moved(timer, to, timer.previousAt(), timer.failure());
    }

    private Settlement moved(StoredTimer timer, Instant to, @Nullable Instant previous, @Nullable Failure failure) {
        TimerContent next = TimerContents.at(timer.content(), to);
        return new Settlement.Moved(
                timer.key(), timer.generation(), generations.next(), next.dueAt(), next.expiresAt(), previous, failure);
    }
}
