package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.internal.Limits;
import java.time.Instant;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule what becomes of a todo that is enqueued while another one of its tenant, type and correlation key waits in
 * the queue, not running: the latest by start date, if there are several. Called inside the transaction that enqueues,
 * for one todo of a key at a time on all nodes: does no input or output, is quick and thread-safe. If it throws,
 * nothing is enqueued. The pattern is {@code CorrelatedTodo} of Azos.
 *
 * @param <T> the type of payloads
 */
@Beta
@FunctionalInterface
public interface Merge<T> {
    /** Decides. */
    Result<T> merge(Todo<T> waiting, Todo<T> arriving);

    /**
     * The result of a merge: what happens to both todos.
     *
     * @param kept the waiting one as it shall be from now on; null to leave it as it is
     * @param inserted whether the arriving one is kept too
     * @param <T> the type of payloads
     */
    record Result<T>(@Nullable Todo<T> kept, boolean inserted) {
        /** Checks that not both are changed. */
        public Result {
            if (kept != null && inserted) {
                throw new IllegalArgumentException("kept must be null if the other one is inserted but was " + kept);
            }
        }
    }

    /** Keeps both. */
    static <T> Result<T> insert() {
        return new Result<>(null, true);
    }

    /** Keeps the waiting one as it is, and drops the arriving one. */
    static <T> Result<T> drop() {
        return new Result<>(null, false);
    }

    /**
     * Keeps the waiting one as given, and drops the arriving one. Payload, start date, deadline and priority are
     * written; the date may move either way.
     */
    static <T> Result<T> merged(Todo<T> kept) {
        return new Result<>(kept, false);
    }

    /**
     * Returns a merge that runs once nothing has arrived for as long as the arriving one is delayed: the last one
     * counts.
     */
    static <T> Merge<T> debounce() {
        return (waiting, arriving) -> merged(waiting.withPayload(arriving.payload())
                .withStartAt(arriving.startAt())
                .withExpiresAt(arriving.expiresAt()));
    }

    /**
     * Returns a merge that runs at the start date of the first, for all that arrived until then.
     *
     * @param add adds the payload that arrives to the one that waits: a sum, a longer list
     */
    static <T> Merge<T> collect(BinaryOperator<T> add) {
        Limits.given("add", add);
        return (waiting, arriving) -> merged(waiting.withPayload(add.apply(waiting.payload(), arriving.payload())));
    }

    /**
     * Returns a merge whose todo runs at the start date of the first one, or as soon as its payload is full. The next
     * todo that arrives begins a new one.
     *
     * @param add as of {@link #collect}
     * @param full whether a payload is enough
     */
    static <T> Merge<T> batch(BinaryOperator<T> add, Predicate<T> full) {
        Limits.given("add", add);
        Limits.given("full", full);
        return (waiting, arriving) -> {
            if (full.test(waiting.payload())) {
                return insert();
            }
            T together = add.apply(waiting.payload(), arriving.payload());
            Todo<T> kept = waiting.withPayload(together);
            return merged(full.test(together) ? kept.withStartAt(earlier(kept, arriving)) : kept);
        };
    }

    private static Instant earlier(Todo<?> waiting, Todo<?> arriving) {
        return waiting.startAt().isBefore(arriving.createdAt()) ? waiting.startAt() : arriving.createdAt();
    }

    /** Returns a merge that runs no more than once in a while: what arrives within it is dropped. */
    static <T> Merge<T> once() {
        return (waiting, arriving) -> drop();
    }
}
