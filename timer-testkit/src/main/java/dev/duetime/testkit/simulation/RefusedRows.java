package dev.duetime.testkit.simulation;

import dev.duetime.TimerKey;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows that the database refuses to change, for example because of a trigger of the user's. */
final class RefusedRows {
    private final World world;
    private final Map<TimerKey, Instant> refusedUntil = new HashMap<>();

    RefusedRows(World world) {
        this.world = world;
    }

    void refuse(TimerKey key, Duration length) {
        world.note("", new Event.Refused(key, length));
        refusedUntil.put(key, world.clock.now().plus(length));
    }

    /** Ends all refusals. */
    void end() {
        refusedUntil.clear();
    }

    boolean isRefused(TimerKey key) {
        Instant until = refusedUntil.get(key);
        return until != null && until.isAfter(world.clock.now());
    }

    /** Fails if the database refuses to change one of these rows. Then none is changed. */
    void check(NodeProcess process, StoreCall call, List<TimerKey> keys) {
        if (keys.stream().anyMatch(this::isRefused)) {
            String name = call.name().toLowerCase(Locale.ROOT);
            throw new RefusedException(name, "by " + process.id, new IOException("trigger"));
        }
    }

    /** Fails if the database refuses to write one of these outcomes. Then none is written. */
    void check(NodeProcess process, List<Settlement> settlements) {
        List<Settlement> refused =
                settlements.stream().filter(each -> isRefused(each.key())).toList();
        if (!refused.isEmpty()) {
            process.note(new Event.LeftOut(refused));
            check(
                    process,
                    StoreCall.SETTLE,
                    refused.stream().map(Settlement::key).toList());
        }
    }
}
