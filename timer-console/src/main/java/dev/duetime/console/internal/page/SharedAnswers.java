package dev.duetime.console.internal.page;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are shared for a short time, or for twenty times as long as it took to work them out. So the work for
 * one answer takes at most a twentieth of the time, however many ask; but no answer is shared for longer than half a
 * minute. Requests for the same answer wait for each other, and share a failure as well. When there are many, the
 * oldest ones are dropped, so that they do not fill the memory. Thread-safe.
 */
final class SharedAnswers {
    private static final int TIMES_AS_LONG = 20;
    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();

    private final int most;
    private final long freshNanos;
    private final LongSupplier nanoTime;
    private final Map<Object, Slot> slots = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param fresh for how long an answer is shared
     * @param most how many answers are kept
     */
    SharedAnswers(Duration fresh, int most) {
        this(fresh, most, System::nanoTime);
    }

    SharedAnswers(Duration fresh, int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        freshNanos = fresh.toNanos();
    }

    /**
     * Returns the answer of that key, or works it out. What the work throws is thrown to all who waited for it, and not
     * kept: otherwise each of them would wait in turn for a database that is away.
     */
    @SuppressWarnings("unchecked")
    <T> T get(Object key, Supplier<T> work) {
        if (slots.size() >= most && !slots.containsKey(key)) {
            makeRoom();
        }
        return (T) slots.computeIfAbsent(key, first -> new Slot()).get(work);
    }

    private void makeRoom() {
        slots.values().removeIf(slot -> !slot.isFresh());
        long now = nanoTime.getAsLong();
        while (slots.size() >= most) {
            slots.entrySet().stream()
                    .min(Comparator.comparingLong(each -> each.getValue().untilNanos - now))
                    .ifPresent(oldest -> slots.remove(oldest.getKey(), oldest.getValue()));
        }
    }

    /** Forgets all answers. An answer that is being worked out is given to those who wait for it already. */
    void forget() {
        slots.clear();
    }

    /** Returns how many answers are kept. */
    int size() {
        return slots.size();
    }

    /** The last answer of one key. */
    private final class Slot {
        // Mutable state; the answer is written under the lock, and before its time.
        private @Nullable Object answer;
        private volatile long untilNanos = nanoTime.getAsLong();
        private @Nullable RuntimeException failure;
        private long failedNanos;

        Object get(Supplier<?> work) {
            return get(work, nanoTime.getAsLong());
        }

        private synchronized Object get(Supplier<?> work, long askedNanos) {
            Object known = answer;
            if (known != null && isFresh()) {
                return known;
            }
            if (failure != null && failedNanos - askedNanos > 0) {
                throw failure;
            }
            long began = nanoTime.getAsLong();
            try {
                known = Objects.requireNonNull(work.get());
            } catch (RuntimeException e) {
                failure = e;
                failedNanos = nanoTime.getAsLong();
                throw e;
            }
            long ended = nanoTime.getAsLong();
            answer = known;
            failure = null;
            untilNanos = ended + (freshNanos == 0 ? 0 : sharedNanos(ended - began));
            return known;
        }

        private long sharedNanos(long took) {
            return Math.max(freshNanos, Math.min(LONGEST_NANOS, TIMES_AS_LONG * took));
        }

        boolean isFresh() {
            return untilNanos - nanoTime.getAsLong() > 0;
        }
    }
}
