package dev.duetime.examples.kafka;

import dev.duetime.Envelope;
import dev.duetime.PostponedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a batch that was sent to Kafka. Immutable and thread-safe.
 *
 * <ul>
 *   <li>A record that the client or a broker refuses for what it contains has failed by itself. It is poison.
 *   <li>Every other failure is a failure of the way: a retriable error that outlived the producer's retries, a fenced
 *       producer, a refused login. Such a record is postponed, which spends no attempt.
 * </ul>
 *
 * @param failures the failures by envelope id
 * @param trouble the first failure of the way; null if there was none
 * @param repeatsAll whether the whole batch must be sent again: nothing is known of any record, or one with a parallel
 *     key has no answer, and would be overtaken by those behind it if it were postponed alone
 */
record Acknowledgements(
        Map<String, Throwable> failures, @Nullable Throwable trouble, boolean repeatsAll) {
    /** The delay before a record is sent again. A partition without a leader must not keep the others waiting. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    Acknowledgements {
        failures = Map.copyOf(failures);
    }

    /**
     * Waits for all acknowledgements at once.
     *
     * @param sent the futures of the first envelopes of the batch; the others were not sent
     */
    static Acknowledgements await(List<Envelope> batch, List<? extends Future<?>> sent, Duration atMost)
            throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        Map<String, Throwable> failures = new HashMap<>();
        Throwable trouble = null;
        boolean isOrderAtRisk = false;
        int unanswered = 0;
        for (int i = 0; i < batch.size(); i++) {
            Envelope envelope = batch.get(i);
            Throwable failure = i < sent.size() ? failure(sent.get(i), deadline) : new TimeoutException("not sent");
            if (failure == null) {
                continue;
            }
            if (isOfRecord(failure)) {
                failures.put(envelope.id(), failure);
            } else {
                trouble = trouble == null ? failure : trouble;
                failures.put(envelope.id(), new PostponedException(PAUSE));
                isOrderAtRisk |= envelope.parallelKey() != null;
                unanswered++;
            }
        }
        return new Acknowledgements(failures, trouble, isOrderAtRisk || unanswered == batch.size());
    }

    /** Returns whether a send has already failed, for another reason than its record. */
    static boolean isAway(Future<?> sent) throws InterruptedException {
        Throwable failure = sent.isDone() ? failure(sent, System.nanoTime()) : null;
        return failure != null && !isOfRecord(failure);
    }

    private static @Nullable Throwable failure(Future<?> sent, long deadline) throws InterruptedException {
        try {
            sent.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (TimeoutException e) {
            return e;
        }
    }

    private static boolean isOfRecord(Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof SerializationException
                || failure instanceof InvalidRecordException;
    }
}
