package dev.duetime.engine.limits;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit on how many workers of a node hold a transaction of one store at the same time. Without it, handlers could
 * take all connections of the pool, and the loops of the node would find none. Waiting workers are served in order.
 * Thread-safe.
 */
public final class TransactionPermits {
    private final Supplier<OptionalInt> most;
    private final AtomicReference<@Nullable Optional<Semaphore>> permits = new AtomicReference<>();

    /**
     * Creates the limit.
     *
     * @param most returns the limit, empty if there is none; asked with the first transaction, since a store may open
     *     late
     */
    public TransactionPermits(Supplier<OptionalInt> most) {
        this.most = most;
    }

    /**
     * Waits until one more transaction may be held.
     *
     * @return gives the permit back when it is run, which must be once
     * @throws InterruptedException if the worker is interrupted while it waits
     */
    public Runnable acquire() throws InterruptedException {
        Optional<Semaphore> limited = permits();
        if (limited.isEmpty()) {
            return () -> {};
        }
        Semaphore semaphore = limited.get();
        // Before the permit is taken: if there is no memory for it, nobody could give the permit back.
        Runnable release = semaphore::release;
        semaphore.acquire();
        return release;
    }

    private Optional<Semaphore> permits() {
        Optional<Semaphore> known = permits.get();
        if (known != null) {
            return known;
        }
        OptionalInt limit = most.get();
        Optional<Semaphore> first =
                limit.isPresent() ? Optional.of(new Semaphore(Math.max(1, limit.getAsInt()), true)) : Optional.empty();
        Optional<Semaphore> other = permits.compareAndExchange(null, first);
        return other == null ? first : other;
    }
}
