package dev.duetime.internal.inside;

import dev.duetime.store.CollisionException;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;

/**
 * A write on several hosts, by one transaction on each: the parts that differ between one write and another one. Used
 * by one thread.
 *
 * @param <R> the result on one host
 */
public interface HostsWrite<R> {
    /** Prepares the transaction, before it is begun on any host; by default it changes nothing. */
    default void prepare(OwnTransaction transaction) {
        // The transaction waits for rows as the stores do by default.
    }

    /** Writes the part of a host in the transaction on it. */
    R write(String host, TimerWrites writes);

    /** Writes the part of a host again, alone: its transaction collided after others were committed. */
    R writeAlone(String host);

    /** Notes that the part of a host is durable; also called if a later host fails. By default it does nothing. */
    default void committed(String host, R result) {
        // The caller reads the results.
    }

    /**
     * Decides about a collision, with nothing written. If it returns, all parts are written again.
     *
     * @throws CollisionException the given one, to give up
     */
    void collided(CollisionException collision);
}
