package dev.duetime.internal.timer;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.PayloadCodec;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.internal.Errors;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of a stored timer in the engine: its envelope, its failures, its next generation; and its size. */
public final class StoredTimers {
    private StoredTimers() {}

    /** Returns the next failure of a timer that may have failed before. */
    public static Failure failure(@Nullable Failure before, Throwable error, Instant at) {
        return new Failure(Errors.shown(error), before == null ? at : before.firstAt(), at);
    }

    /** Returns the timer after the given number of counted attempts, of which the last one failed. */
    public static StoredTimer withFailure(StoredTimer timer, int attempts, Failure last) {
        return copy(timer, timer.generation(), timer.content(), timer.wakeAt(), attempts, last);
    }

    /** Returns the timer after the given number of counted attempts. */
    public static StoredTimer withAttempt(StoredTimer timer, int attempts) {
        return copy(timer, timer.generation(), timer.content(), timer.wakeAt(), attempts, timer.failure());
    }

    /** Returns the todo after a step: as another generation, with another content and failure. */
    public static StoredTimer advanced(
            StoredTimer todo,
            long generation,
            TimerContent content,
            Instant wakeAt,
            int attempts,
            @Nullable Failure last) {
        return copy(todo, generation, content, wakeAt, attempts, last);
    }

    /** Returns the timer without payload and headers, and with this failure. */
    public static StoredTimer withoutContent(StoredTimer timer, @Nullable Failure last) {
        TimerContent without = TimerContents.with(timer.content(), Payload.NONE, Map.of());
        return copy(timer, timer.generation(), without, timer.wakeAt(), timer.attempt(), last);
    }

    /**
     * Returns about how many bytes a timer takes in memory: those of its payload, its headers and its last error. What
     * else it has is bounded.
     */
    public static long bytes(StoredTimer timer) {
        Failure last = timer.failure();
        return bytes(timer.content()) + (last == null ? 0 : last.error().length());
    }

    /** Returns about how many bytes the payload and the headers of a timer take in memory. */
    public static long bytes(TimerContent content) {
        long bytes = content.payload().size();
        for (Map.Entry<String, String> header : content.headers().entrySet()) {
            bytes += header.getKey().length() + header.getValue().length();
        }
        return bytes;
    }

    /** Returns about how many bytes timers take in memory together. */
    public static long bytes(Collection<StoredTimer> timers) {
        long bytes = 0;
        for (StoredTimer timer : timers) {
            bytes += bytes(timer);
        }
        return bytes;
    }

    /** Returns the timer with a payload that another codec reads. */
    public static StoredTimer readBy(StoredTimer timer, PayloadCodec codec) {
        TimerContent content = timer.content();
        TimerContent readable =
                TimerContents.withPayload(content, content.payload().readBy(codec));
        return copy(timer, timer.generation(), readable, timer.wakeAt(), timer.attempt(), timer.failure());
    }

    /** Returns what is delivered for the timer, by the given attempt, at the given time. */
    public static Envelope envelope(StoredTimer timer, int attempt, Instant reachedAt, PayloadCodec codec) {
        TimerContent content = timer.content();
        DueTimeReached event = new DueTimeReached(
                timer.key(),
                content.type(),
                content.dueAt(),
                reachedAt,
                content.expiresAt(),
                timer.previousAt(),
                content.correlationId(),
                content.payload().readBy(codec));
        return new Envelope(
                timer.envelopeId(),
                content.queue(),
                attempt,
                content.priority(),
                content.headers(),
                content.parallelKey(),
                event);
    }

    private static StoredTimer copy(
            StoredTimer timer,
            long generation,
            TimerContent content,
            @Nullable Instant wakeAt,
            int attempts,
            @Nullable Failure failure) {
        return new StoredTimer(
                timer.key(),
                timer.shard(),
                content,
                timer.state(),
                generation,
                attempts,
                wakeAt,
                timer.registeredAt(),
                timer.settledAt(),
                timer.previousAt(),
                failure);
    }
}
