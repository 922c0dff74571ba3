package dev.duetime.hosts;

import dev.duetime.StoreException;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.inside.HostsWrite;
import dev.duetime.store.CollisionException;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A transaction on each host that is written to, begun by the first write there. They are committed one after the
 * other, in the order of the hosts' names. The writes on one host are all or nothing; the writes on all hosts together
 * are not, if a host fails between two commits. Not thread-safe.
 */
final class HostTransaction implements OwnTransaction, Transaction {
    private final HostStores hosts;
    private final HostWrites writes;
    private final SortedMap<String, OwnTransaction> begun = new TreeMap<>();
    private final List<String> committed = new ArrayList<>();
    private boolean brief;
    private boolean over;

    HostTransaction(HostStores hosts) {
        this.hosts = hosts;
        writes = new HostWrites(hosts, this::on, false);
    }

    @Override
    public TimerWrites writes() {
        return writes;
    }

    @Override
    public Transaction transaction() {
        return this;
    }

    /**
     * Returns what writes on one host.
     *
     * @throws StoreException if the host is away
     * @throws IllegalStateException if the transaction has ended
     */
    TimerWrites on(String host) {
        checkOpen();
        return begun.computeIfAbsent(host, name -> hosts.call(name, () -> begin(name)))
                .writes();
    }

    private OwnTransaction begin(String host) {
        OwnTransaction transaction = hosts.store(host).begin();
        if (brief) {
            transaction.waitBriefly();
        }
        return transaction;
    }

    @Override
    public void waitBriefly() {
        brief = true;
        begun.values().forEach(OwnTransaction::waitBriefly);
    }

    @Override
    public void waitLonger() {
        brief = false;
        begun.values().forEach(OwnTransaction::waitLonger);
    }

    @Override
    public boolean isLost() {
        return begun.values().stream().anyMatch(OwnTransaction::isLost);
    }

    private void checkOpen() {
        if (over) {
            throw new IllegalStateException("transaction must be open but was committed or closed");
        }
    }

    /**
     * Commits on one host after the other.
     *
     * @throws CollisionException if another transaction was in the way on the first of them: nothing was written
     * @throws StoreException if a host failed; the message says on which ones it was committed before
     */
    @Override
    public void commit() {
        commit((host, collision) -> {
            throw collision;
        });
    }

    /**
     * Writes on several hosts, and commits one after the other. Notes each committed host, also if a later one fails.
     */
    <R> SortedMap<String, R> write(Collection<String> all, HostsWrite<R> write) {
        // Begin on all hosts before anything is locked, because a connection to a missing host takes long to fail.
        all.forEach(this::on);
        SortedMap<String, R> results = new TreeMap<>();
        all.forEach(host -> results.put(host, hosts.call(host, () -> write.write(host, on(host)))));
        try {
            commit((host, collision) -> results.put(host, write.writeAlone(host)));
        } finally {
            committed.forEach(host -> write.committed(host, Objects.requireNonNull(results.get(host))));
        }
        return results;
    }

    /**
     * Commits on one host after the other; otherwise as {@link #commit()}.
     *
     * @param again is called for a host on which another transaction was in the way though others were committed: its
     *     part was not written, and is to be written again
     */
    private void commit(BiConsumer<String, CollisionException> again) {
        checkOpen();
        over = true;
        for (Map.Entry<String, OwnTransaction> each : begun.entrySet()) {
            String host = each.getKey();
            try {
                hosts.call(host, () -> {
                    commit(host, each.getValue(), committed.isEmpty() ? HostTransaction::rethrow : again);
                    return host;
                });
            } catch (StoreException e) {
                if (committed.isEmpty()) {
                    throw e;
                }
                throw new StoreException(
                        "commit on host " + host, "after it was committed on " + committed + ": repeat all of it,", e);
            }
            committed.add(host);
        }
    }

    private static void commit(
            String host, OwnTransaction transaction, BiConsumer<String, CollisionException> collided) {
        try {
            transaction.commit();
        } catch (CollisionException e) {
            transaction.close();
            collided.accept(host, e);
        }
    }

    private static void rethrow(String host, CollisionException collision) {
        throw collision;
    }

    @Override
    public void close() {
        over = true;
        List<OwnTransaction> open = List.copyOf(begun.values());
        begun.clear();
        EndSteps.each(open, OwnTransaction::close);
    }
}
