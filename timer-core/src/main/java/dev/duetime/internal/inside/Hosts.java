package dev.duetime.internal.inside;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.store.TimerWrites;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The inside of a host set: its stores, where timers lie on them, and writes on several of them. Thread-safe. */
public interface Hosts {
    /** Returns the stores by the names of their hosts, in the order of the names. */
    SortedMap<String, ScheduleStore> stores();

    /** Returns the names of the hosts: first those that were there from the start, then the others. */
    List<String> oldestFirst();

    /**
     * Returns which timers, by their indexes, lie on which hosts. A timer lies where its key is stored already, else
     * where a timer waits that it may be merged with, else at its home. If a key is given twice, with two routing keys,
     * the first place counts. Only hosts that were added or are draining make it ask other hosts than the home.
     *
     * @throws StoreException if a host is away that has to be asked
     */
    SortedMap<String, List<Integer>> places(List<NewTimer> timers);

    /**
     * Returns the same as a caller's transaction sees it. On the host of the transaction it reads in the transaction: a
     * read outside would wait for the rows that the transaction has locked.
     *
     * @param writes the writes of a transaction that joined the set
     * @throws IllegalArgumentException if they are of something else
     */
    SortedMap<String, List<Integer>> places(List<NewTimer> timers, TimerWrites writes);

    /**
     * Returns the part of a caller's transaction that writes on a host.
     *
     * @param writes the writes of a transaction that joined the set
     * @param key a timer that lies there
     * @throws IllegalArgumentException if the transaction is of another host
     */
    TimerWrites part(TimerWrites writes, String host, TimerKey key);

    /** Runs work on a host, and adds the host's name to its failures. */
    <T> T call(String host, Supplier<T> work);

    /**
     * Writes on several hosts, in a transaction on each. The transactions are committed one after the other once all
     * are written.
     *
     * @param <R> the result on one host
     * @return the results by the names of the hosts
     * @throws StoreException if a host failed; the message names the hosts that were committed before
     */
    <R> SortedMap<String, R> write(Collection<String> hosts, HostsWrite<R> write);

    /** Returns the set of the same hosts with other stores, such as ones that measure or fail. */
    TimerStore with(BiFunction<String, ScheduleStore, ScheduleStore> other);
}
