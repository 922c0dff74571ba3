package dev.duetime.engine.loop;

import dev.duetime.store.NextDue;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a poll that the node made for all of its idle queues, on its way to the loop of one of them. The loop
 * takes it instead of asking the store, unless anything has happened to the queue since the poll began. Thread-safe.
 */
final class IdleAnswers {

    /**
     * The permission to poll for an idle queue. A turn or an announced timer ends it.
     *
     * @param pauseChanges how many changes of the pause there had been
     */
    record Ticket(long pauseChanges) {}

    /**
     * The answer to a poll.
     *
     * @param ticket permitted it
     * @param next the store's answer
     * @param shards the shards that the node held in the store
     * @param askedAt when the poll began
     * @param askedNanos the same by the monotonic clock
     */
    record Answer(Ticket ticket, NextDue next, Set<Integer> shards, Instant askedAt, long askedNanos) {
        long pauseChanges() {
            return ticket.pauseChanges;
        }
    }

    private final AtomicReference<@Nullable Ticket> ticket = new AtomicReference<>();
    private final AtomicReference<@Nullable Answer> answer = new AtomicReference<>();

    /** The answer that the running turn may take. Used by the loop's thread. */
    private @Nullable Answer usable;

    /** Allows polls, at the end of a turn after which the loop is idle. */
    void allow(long pauseChanges) {
        ticket.set(new Ticket(pauseChanges));
    }

    /** Ends the permission, because something has happened. */
    void invalidate() {
        ticket.set(null);
    }

    /** Returns the permission; null if the queue is not idle. */
    @Nullable
    Ticket ticket() {
        return ticket.get();
    }

    /** Hands an answer to the loop, which must be woken then. */
    void give(Answer given) {
        answer.set(given);
    }

    /** Begins a turn: only an answer to a poll of the last idle time counts. */
    @SuppressWarnings("ReferenceEquality")
    void beginTurn() {
        Answer given = answer.getAndSet(null);
        Ticket valid = ticket.getAndSet(null);
        usable = given != null && given.ticket == valid ? given : null;
    }

    /** Returns whether there is an answer that the running turn may take. */
    boolean isGiven() {
        return usable != null;
    }

    /** Takes the answer, once; null if there is none, or if it leaves out one of these shards. */
    @Nullable
    Answer take(Set<Integer> shards) {
        Answer taken = usable;
        usable = null;
        return taken != null && taken.shards.containsAll(shards) ? taken : null;
    }
}
