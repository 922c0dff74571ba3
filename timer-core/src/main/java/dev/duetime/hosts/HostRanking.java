package dev.duetime.hosts;

import dev.duetime.TimerKey;
import dev.duetime.internal.StableHash;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A ranking of hosts for a key, by rendezvous hashing of their names. The first host that takes new keys is the home of
 * the key. If a host is added or removed, only the keys that it gets or had move. Thread-safe.
 */
final class HostRanking {
    private final List<Host> hosts;

    HostRanking(List<Host> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /** The properties of a host that a ranking needs. */
    record Host(String name, long hash, Role role) {
        Host(String name, Role role) {
            this(name, StableHash.of(name), role);
        }
    }

    /** The role of a host: whether it was there from the start, was added, or gets no new keys any more. */
    enum Role {
        FROM_THE_START,
        ADDED,
        DRAINING
    }

    static long hash(TimerKey key) {
        return StableHash.of(key.tenantId(), key.timerId(), key.scope());
    }

    static long hash(NewTimer timer) {
        if (timer.routingKey() != null) {
            return StableHash.of(timer.routingKey());
        }
        String correlationKey = timer.content().correlationKey();
        return correlationKey != null ? StableHash.of(correlationKey) : hash(timer.key());
    }

    /** Returns all hosts in the order of their rank for the key. */
    List<String> all(long key) {
        return ranked(key).stream().map(Host::name).toList();
    }

    /** Returns the host of new timers of the key. */
    String home(long key) {
        return homes(key).get(0);
    }

    /**
     * Returns the home of the key, and then the hosts that may have been its home before. A host that ranks behind one
     * from the start was never the home.
     */
    List<String> homes(long key) {
        List<String> homes = new ArrayList<>();
        int drained = 0;
        for (Host host : ranked(key)) {
            if (host.role == Role.DRAINING) {
                homes.add(host.name);
                drained += homes.size() == drained + 1 ? 1 : 0;
                continue;
            }
            homes.add(host.name);
            if (host.role == Role.FROM_THE_START) {
                break;
            }
        }
        // Hosts that rank before the home are draining.
        homes.add(0, homes.remove(drained));
        return homes;
    }

    private List<Host> ranked(long key) {
        List<Host> ranked = new ArrayList<>(hosts);
        ranked.sort(Comparator.comparingLong((Host host) -> StableHash.of(host.hash, key))
                .reversed()
                .thenComparing(Host::name));
        return ranked;
    }
}
