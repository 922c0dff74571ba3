package dev.duetime.hosts;

import dev.duetime.Beta;
import dev.duetime.store.ScheduleStore;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The hosts of a {@link HostSet}, in any order. Not thread-safe. A name is 1 to 64 characters without control
 * characters; keys are placed by it, so it is never changed, whatever becomes of the server's address.
 *
 * <p>A store may be given, or what opens it, such as {@code () -> JdbcScheduleStore.of(pool)}: that is called when the
 * store is needed first, and again, one call at a time, until it returns one; whatever it throws counts as the host
 * being away. So a node can start while a host is away. Where the store is given, it has to be opened before.
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
     * Adds a host that was added later: it is given about its share of new keys, and of those the hosts that they would
     * have lain on before are asked first. It was declared {@link #draining} before that, on all nodes.
     *
     * <p>Once the others have purged what they had of its keys, it may be declared a {@link #host}: never while there
     * are recurring timers, dead timers that are kept, or to-do lists, which do not end. A key that was scheduled
     * before and moves then is created a second time.
     */
    public HostSetBuilder added(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.ADDED);
    }

    /** Adds a host that was added later, whose store is opened on its first use; otherwise as the other one. */
    public HostSetBuilder added(String name, Supplier<ScheduleStore> store) {
        return added(name, onFirstUse(store));
    }

    /**
     * Adds a host that is given no new keys: it is polled and asked until it is empty, and then may be left out.
     * Recurring timers and items of to-do lists stay there until they are cancelled or removed.
     *
     * <p>One that is a {@link #host} is declared {@link #added} first, on all nodes: a node that still takes it for a
     * host that was always there does not look behind it, and would store again what the others have placed. From here
     * it goes back only to {@code added}.
     */
    public HostSetBuilder draining(String name, ScheduleStore store) {
        return put(name, store, HostRanking.Role.DRAINING);
    }

    /** Adds a host that is given no new keys, whose store is opened on its first use; otherwise as the other one. */
    public HostSetBuilder draining(String name, Supplier<ScheduleStore> store) {
        return draining(name, onFirstUse(store));
    }

    private static ScheduleStore onFirstUse(Supplier<ScheduleStore> store) {
        return new StoreOnFirstUse(Objects.requireNonNull(store, "store"));
    }

    /**
     * Makes each schedule look for its key on all hosts first, so that an id is recognised also if it comes with
     * another sharding, parallel or correlation key than before; not by default. It costs a look-up of each timer on
     * each host, one after the other, and nothing is scheduled while one of them is away.
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
        return new HostSet(new HostStores(hosts, roles, everywhere));
    }
}
