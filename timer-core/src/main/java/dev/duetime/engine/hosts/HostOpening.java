package dev.duetime.engine.hosts;

import dev.duetime.StoreException;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.Engine;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opening of a host that was away when the node was built: one attempt at a time, with its outage until the host is
 * open. A call that comes during an attempt gets the former failure at once. Thread-safe.
 */
final class HostOpening {
    private static final Logger LOG = LoggerFactory.getLogger(HostOpening.class);

    private final String host;
    private final Listeners listeners;
    private final Outage outage;
    private final ReentrantLock attempting = new ReentrantLock();

    // Mutable state, written under attempting.
    private volatile @Nullable StoreException failure;
    private volatile boolean refused;

    HostOpening(String host, NodeSettings node, Listeners listeners) {
        this.host = host;
        this.listeners = listeners;
        outage = Outage.onAnyThread(listeners.availability(Availability.STORE), node.random());
    }

    /** Returns the listeners for this host, which its loops also use. */
    Listeners listeners() {
        return listeners;
    }

    /** Returns since when it has been away, unless it is open. */
    @Nullable
    OngoingOutage ongoing() {
        return outage.ongoing();
    }

    /**
     * Returns whether the host is not used until the next start, because its queues differ from those of the other
     * hosts.
     */
    boolean isRefused() {
        return refused;
    }

    /**
     * Opens the host, unless another thread is about to open it. The outage is over once its engine is in use.
     *
     * @param build builds its engine; refuses the host by an {@link IllegalStateException}
     * @param use starts the engine and lets calls reach it
     * @throws StoreException if it is away, or refused
     */
    Engine attempt(Supplier<Engine> build, UnaryOperator<Engine> use, Supplier<Instant> now) {
        if (refused || !attempting.tryLock()) {
            throw Objects.requireNonNull(failure, "failure");
        }
        try {
            Engine engine = use.apply(unlessRefused(build));
            outage.over(now.get());
            return engine;
        } catch (StoreException e) {
            failed(e, now.get());
            throw e;
        } finally {
            attempting.unlock();
        }
    }

    private Engine unlessRefused(Supplier<Engine> build) {
        try {
            return build.get();
        } catch (IllegalStateException e) {
            LOG.error(
                    "host {} is left alone until the process starts again: {}",
                    host,
                    Printable.withoutSecrets(Errors.message(e)));
            refused = true;
            throw new StoreException("open", "queues", e);
        }
    }

    /** Notes a failure: the first one is noted before any attempt, later ones by the attempting thread. */
    void failed(StoreException e, Instant now) {
        failure = e;
        outage.failed(e, now);
    }
}
