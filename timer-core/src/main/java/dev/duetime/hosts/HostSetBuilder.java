package dev.duetime.hosts;

import dev.duetime.Beta;
import dev.duetime.internal.Limits;
import dev.duetime.store.ScheduleStore;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The hosts of a {@link HostSet}, in any order. Not thread-safe. A name is 1 to 64 characters without control
 * characters; keys are placed by it, so never change it, even if the server's address changes.
 *
 * <p>Give a store that is open, or a function that opens it, such as {@code () -> JdbcScheduleStore.of(pool)}. The
 * function is called on the first use of the store, and again, one call at a time, until it returns a store. If it
 * throws, the host counts as away. So a node can start while a host is away.
 *
 * <p>Each method throws {@link IllegalArgumentException} if the name is out of bounds or was given before.
 */
@Beta
public final class HostSetBuilder {
    private static final int MOST_CHARACTERS = 64;

    private final SortedMap<String, ScheduleStore> hosts = new TreeMap<>();
    private final SortedMap<String, HostRanking.Role> roles = new TreeMap<>();

    private boolean everywhere;

    HostSetBuilder() {}

    /** Adds a host that was there from the start. */
    public HostSetBuilder host(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.FROM_THE_START);
    }

    /** Adds a host that was there from the start, whose store is opened on its first use. */
    public HostSetBuilder host(String name, Supplier<ScheduleStore> store) {
        return host(name, onFirstUse(store));
    }

    /**
     * Adds a host that was added later. It gets about its share of new keys. For these keys, their former homes are
     * asked first. Before a host is declared so, declare it {@link #draining} on all nodes.
     *
     * <p>Once the other hosts have purged their timers of its keys, it may be declared a {@link #host}. Never do that
     * while there are recurring timers, kept dead timers or to-do lists, because these do not end. If a key that is
     * stored elsewhere moves then, its timer is created a second time.
     */
    public HostSetBuilder added(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.ADDED);
    }

    /**
     * Adds a host that was added later, whose store is opened on its first use; otherwise as {@link #added(String,
     * ScheduleStore)}.
     */
    public HostSetBuilder added(String name, Supplier<ScheduleStore> store) {
        return added(name, onFirstUse(store));
    }

    /**
     * Adds a host that gets no new keys. It is polled and asked until it is empty, and then may be left out. Recurring
     * timers and items of to-do lists stay there until they are cancelled or removed.
     *
     * <p>If it was a {@link #host}, declare it {@link #added} on all nodes first: a node that still knows it as a
     * {@code host} asks no host of a lower rank, and would store keys again that other nodes have placed there. A
     * draining host may become {@code added} again, and nothing else.
     */
    public HostSetBuilder draining(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.DRAINING);
    }

    /**
     * Adds a host that gets no new keys, whose store is opened on its first use; otherwise as {@link #draining(String,
     * ScheduleStore)}.
     */
    public HostSetBuilder draining(String name, Supplier<ScheduleStore> store) {
        return draining(name, onFirstUse(store));
    }

    private static ScheduleStore onFirstUse(Supplier<ScheduleStore> store) {
        return new StoreOnFirstUse(Limits.given("store", store));
    }

    /**
     * Makes each schedule search its key on all hosts first; not by default. So an id is recognised even if its
     * sharding, parallel or correlation key has changed. It costs a search for each timer on each host, one after the
     * other, and nothing can be scheduled while a host is away.
     */
    public HostSetBuilder lookEverywhere() {
        everywhere = true;
        return this;
    }

    private HostSetBuilder put(String name, ScheduleStore store, HostRanking.Role role) {
        Limits.given("host", name);
        if (name.isEmpty() || name.length() > MOST_CHARACTERS || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("host must have 1 to %d characters and no control characters but had %d"
                    .formatted(MOST_CHARACTERS, name.length()));
        }
        if (roles.putIfAbsent(name, role) != null) {
            throw new IllegalArgumentException("host must be given once but was again: " + name);
        }
        hosts.put(name, Limits.given("store", store));
        return this;
    }

    /**
     * Returns the set.
     *
     * @throws IllegalStateException if no host takes new keys
     */
    public HostSet build() {
        if (roles.values().stream().allMatch(role -> role == HostRanking.Role.DRAINING)) {
            throw new IllegalStateException(
                    "a host must be given that is not draining, but there was none of " + roles.keySet());
        }
        return new HostSet(new HostStores(hosts, roles, everywhere));
    }
}
