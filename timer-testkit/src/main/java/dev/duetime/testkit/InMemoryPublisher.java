package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import dev.duetime.TimerKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A publisher that keeps accepted envelopes in order, and fails on demand. It accepts everything by default.
 * Thread-safe.
 *
 * <p>A call that fails accepts nothing, except with {@link #failPartiallyOn} and {@link #acceptSilently}.
 */
public final class InMemoryPublisher implements Publisher {
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final List<Envelope> delivered = new ArrayList<>();
    private Predicate<Envelope> poison = envelope -> false;
    private Predicate<Envelope> refused = envelope -> false;
    private Consumer<Envelope> handler = envelope -> {};
    private long failuresLeft;
    private long silentLeft;
    private int calls;

    /** Creates a publisher that accepts everything. */
    public InMemoryPublisher() {}

    /**
     * {@inheritDoc}
     *
     * @throws IOException if one of the other methods demanded it
     */
    @Override
    public void publish(List<Envelope> batch) throws IOException, PartialPublishException {
        Consumer<Envelope> onEach;
        List<Envelope> accepted;
        boolean silent;
        lock.lock();
        try {
            calls++;
            onEach = handler;
            accepted = accept(batch);
            delivered.addAll(accepted);
            silent = silentLeft > 0;
            silentLeft -= silent ? 1 : 0;
        } finally {
            lock.unlock();
        }
        accepted.forEach(onEach);
        if (silent) {
            throw new IOException("the reply was lost, as told by acceptSilently");
        }
        if (accepted.size() < batch.size()) {
            throw new PartialPublishException(failures(batch, accepted));
        }
    }

    private List<Envelope> accept(List<Envelope> batch) throws IOException {
        if (failuresLeft > 0) {
            failuresLeft--;
            throw new IOException("unavailable, as told by failNext or failAlways");
        }
        for (Envelope envelope : batch) {
            if (poison.test(envelope)) {
                throw new IOException("the batch was refused, as told by failOn");
            }
        }
        return batch.stream().filter(refused.negate()).toList();
    }

    private static Map<String, Throwable> failures(List<Envelope> batch, List<Envelope> accepted) {
        Map<String, Throwable> failures = new HashMap<>();
        batch.forEach(envelope ->
                failures.put(envelope.id(), new IOException("refused, as told by failPartiallyOn: " + envelope.key())));
        accepted.forEach(envelope -> failures.remove(envelope.id()));
        return failures;
    }

    /** Returns the accepted envelopes, repeats included, in order. */
    public List<Envelope> delivered() {
        return locked(() -> List.copyOf(delivered));
    }

    /** Returns the accepted envelopes of one timer, in order. */
    public List<Envelope> delivered(TimerKey key) {
        return delivered().stream()
                .filter(envelope -> envelope.key().equals(key))
                .toList();
    }

    /** Returns the accepted envelopes of one timer of the default tenant, in order. */
    public List<Envelope> delivered(String timerId) {
        return delivered(TimerKey.of(timerId));
    }

    /** Returns how often {@link #publish} was called. */
    public int calls() {
        return locked(() -> calls);
    }

    /** Forgets the accepted envelopes and the number of calls. Configured failures stay. */
    public void clear() {
        run(() -> {
            delivered.clear();
            calls = 0;
        });
    }

    /**
     * Makes the next calls throw.
     *
     * @throws IllegalArgumentException if {@code times} is negative
     */
    public void failNext(int times) {
        checkTimes(times);
        run(() -> failuresLeft = times);
    }

    /** Makes every call throw, until {@link #recover}. */
    public void failAlways() {
        run(() -> failuresLeft = Long.MAX_VALUE);
    }

    /** Makes every call throw whose batch contains such an envelope, without naming it, until {@link #recover}. */
    public void failOn(Predicate<Envelope> which) {
        run(() -> poison = which);
    }

    /**
     * Makes calls refuse such envelopes and accept the others of the batch, until {@link #recover}. A {@link
     * PartialPublishException} names the refused ones.
     */
    public void failPartiallyOn(Predicate<Envelope> which) {
        run(() -> refused = which);
    }

    /**
     * Makes the next calls throw although they accept their envelopes, as if the broker's reply was lost.
     *
     * @throws IllegalArgumentException if {@code times} is negative
     */
    public void acceptSilently(int times) {
        checkTimes(times);
        run(() -> silentLeft = times);
    }

    /** Makes every call succeed again. */
    public void recover() {
        run(() -> {
            failuresLeft = 0;
            silentLeft = 0;
            poison = envelope -> false;
            refused = envelope -> false;
        });
    }

    /**
     * Sets an action for each accepted envelope, run inside the call of {@link #publish}; nothing by default. If the
     * action throws, that call throws.
     */
    public void onEach(Consumer<Envelope> action) {
        run(() -> handler = action);
    }

    private static void checkTimes(int times) {
        if (times < 0) {
            throw new IllegalArgumentException("times must be at least 0 but was " + times);
        }
    }

    private void run(Runnable change) {
        locked(() -> {
            change.run();
            return true;
        });
    }

    private <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
