package dev.duetime.console;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a person may see and do. Immutable and thread-safe.
 *
 * @param level what the person may do
 * @param user the person's name, which is logged with each action
 * @param tenants the only tenants whose timers the person may see and change; null for all. With a fence the person
 *     sees no numbers of other tenants, and can neither pause nor resume queues
 */
public record Grant(Level level, String user, @Nullable Set<String> tenants) {

    /** What a person may do. */
    public enum Level {
        /** Nothing: each request is refused. */
        NONE,
        /** See everything that the fence allows. */
        READ,
        /** Also revive, deliver, cancel and purge timers, and pause queues. */
        OPERATE
    }

    /** Copies the tenants. */
    public Grant {
        Objects.requireNonNull(level, "level must not be null");
        Objects.requireNonNull(user, "user must not be null");
        tenants = tenants == null ? null : Set.copyOf(tenants);
    }

    /** Returns the grant of somebody who may do nothing. */
    public static Grant none() {
        return new Grant(Level.NONE, "nobody", null);
    }

    /** Returns the grant to see everything. */
    public static Grant read(String user) {
        return new Grant(Level.READ, user, null);
    }

    /** Returns the grant to see and do everything. */
    public static Grant operate(String user) {
        return new Grant(Level.OPERATE, user, null);
    }

    /** Returns this grant for some tenants only. */
    public Grant fencedTo(Set<String> only) {
        return new Grant(level, user, only);
    }

    /** Returns whether the person may see nothing of this tenant. */
    public boolean hides(String tenantId) {
        return tenants != null && !tenants.contains(tenantId);
    }

    /** Returns whether the person may operate. */
    public boolean operates() {
        return level == Level.OPERATE;
    }

    /** Returns the first tenant of the fence, in order; null if there is no fence. */
    public @Nullable String firstTenant() {
        return tenants == null || tenants.isEmpty() ? null : new TreeSet<>(tenants).first();
    }
}
