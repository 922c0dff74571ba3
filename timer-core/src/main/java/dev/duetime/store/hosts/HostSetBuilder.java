package dev.duetime.store.hosts;

import dev.duetime.store.ScheduleStore;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Names the hosts of a {@link HostSet}, in any order. Not thread-safe. A name is 1 to 64 characters without control characters;
 * keys are placed by it, so it is never changed, whatever becomes of the server's address.
 *
 * <p>Each method throws {@link IllegalArgumentException} if the name is out of bounds or was given before.
 */
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

    /**
     * Adds a host that was added later: it is given about its share of new keys, and of those the hosts that they would have
     * lain on before are asked first. Once those have purged what they had of them, it may be declared a {@link #host}.
     */
    public HostSetBuilder added(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.ADDED);
    }

    /** Adds a host that is given no new keys: it is polled and asked until it is empty, and then may be left out. */
    public HostSetBuilder draining(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.DRAINING);
    }

    /**
     * Makes each schedule look for its key on all hosts first, so that an id is recognised also if it comes with another sharding,
     * parallel or correlation key than before; not by default. It costs a look-up of each timer on each host, one
     * after the other, and nothing is scheduled while one of them is away.
     */
    public HostSetBuilder lookEverywhere() {
        everywhere = true;
        return this;
    }

    private HostSetBuilder put(String name, ScheduleStore store, HostRanking.Role role) {
        if (name.isEmpty() || name.length() > MOST_CHARACTERS || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("host must have 1 to %d characters and no control characters but had %d"
                    .formatted(MOST_CHARACTERS, name.length()));
        }
        if (roles.putIfAbsent(name, role) != null) {
            throw new IllegalArgumentException("host must be given once but was again: " + name);
        }
        hosts.put(name, Objects.requireNonNull(store, "store"));
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
        return new HostSet(hosts, roles, everywhere);
    }
}
