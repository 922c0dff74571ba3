package dev.duetime;

import dev.duetime.internal.Errors;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes the delay before a retry: the part of a {@link RetryPolicy} that knows its kind. Thread-safe. */
@FunctionalInterface
interface Backoff {
    /** The shortest delay: less would be a hot loop. */
    Duration SHORTEST = Duration.ofMillis(1);

    /** Returns how long to wait after so many failures, at least 1, of which the last one was this. */
    Duration delay(int attempts, Throwable error, RandomGenerator random);

    /** Doubles with each failure and takes 75 to 100 % of it by chance. */
    record Exponential(Duration first, Duration cap) implements Backoff {
        private static final int DOUBLINGS = 40;

        @Override
        public Duration delay(int attempts, Throwable error, RandomGenerator random) {
            double factor = Math.pow(2, Math.min(attempts - 1, DOUBLINGS));
            double nanos = Math.min((double) first.toNanos() * factor, (double) cap.toNanos());
            return Duration.ofNanos((long) (nanos * (0.75 + 0.25 * random.nextDouble())));
        }
    }

    /** Asks the user's function, and goes by another rule where its answer makes no sense. */
    final class Custom implements Backoff {
        private static final Logger LOG = LoggerFactory.getLogger(RetryPolicy.class);

        private final RetryDelay function;
        private final Duration cap;
        private final Backoff otherwise;
        private final AtomicBoolean said = new AtomicBoolean();

        Custom(RetryDelay function, Duration cap, Backoff otherwise) {
            this.function = function;
            this.cap = cap;
            this.otherwise = otherwise;
        }

        @Override
        public Duration delay(int attempts, Throwable error, RandomGenerator random) {
            Duration delay = ask(attempts, error);
            if (delay == null) {
                delay = otherwise.delay(attempts, error, random);
            }
            return delay.compareTo(cap) > 0 ? cap : delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay;
        }

        /** Returns what the function says, or null if that is no delay. */
        private @Nullable Duration ask(int attempts, Throwable error) {
            Answer<Duration> answer = UserCode.ofThisThread().call(() -> function.after(attempts, error));
            Duration delay = answer.value();
            Throwable thrown = answer.error();
            if (thrown != null) {
                warn("failed with %s at %s".formatted(thrown.getClass().getName(), place(thrown)));
            } else if (delay != null && !delay.isNegative()) {
                return delay;
            } else {
                warn("returned " + delay);
            }
            return null;
        }

        /** The place, and not the message: the function was given the publisher's error, which may quote a payload. */
        private static String place(Throwable error) {
            StackTraceElement[] trace = Errors.trace(error);
            return trace.length == 0 ? "an unknown place" : trace[0].toString();
        }

        private void warn(String what) {
            if (said.compareAndSet(false, true)) {
                LOG.warn(
                        "retry delay {} {}, exponential delays are used instead; this is said once",
                        function.getClass().getName(),
                        what);
            }
        }
    }
}
