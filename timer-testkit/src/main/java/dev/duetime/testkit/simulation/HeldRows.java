package dev.duetime.testkit.simulation;

import dev.duetime.TimerKey;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The rows that other transactions hold. Calls for these rows wait as long as on a database, and then fail. */
final class HeldRows {
    /** How long the write of an outcome waits for a held row. */
    static final Duration BRIEFLY = Duration.ofMillis(250);

    /** How long a call that several callers share waits for a held row. */
    static final Duration SHARED = Duration.ofMillis(50);

    /** How long a call for one caller waits for a held row. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    private final World world;
    private final Map<TimerKey, Instant> heldUntil = new HashMap<>();

    HeldRows(World world) {
        this.world = world;
    }

    void hold(TimerKey key, Duration length) {
        world.note("", new Event.Held(key, length));
        heldUntil.put(key, world.clock.now().plus(length));
    }

    /** Ends all other transactions. */
    void release() {
        heldUntil.clear();
    }

    boolean isEmpty() {
        heldUntil.values().removeIf(until -> !until.isAfter(world.clock.now()));
        return heldUntil.isEmpty();
    }

    boolean isHeld(TimerKey key) {
        Instant until = heldUntil.get(key);
        return until != null && until.isAfter(world.clock.now());
    }

    /** Waits until no transaction holds any of these rows. Returns false if that takes longer than the limit. */
    boolean await(Collection<TimerKey> keys, Duration most) {
        Instant end = world.clock.now().plus(most);
        while (keys.stream().anyMatch(this::isHeld) && world.clock.now().isBefore(end)) {
            Instant next = end;
            for (TimerKey key : keys) {
                Instant until = heldUntil.get(key);
                next = until != null && isHeld(key) && until.isBefore(next) ? until : next;
            }
            world.clock.linger(Duration.between(world.clock.now(), next));
        }
        return keys.stream().noneMatch(this::isHeld);
    }
}
