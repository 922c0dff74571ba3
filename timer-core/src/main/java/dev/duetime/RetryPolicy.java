package dev.duetime;

import dev.duetime.internal.Errors;
import dev.duetime.internal.Limits;
import dev.duetime.internal.RetryRule;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rule when a failed delivery is retried, how often, and after which errors never. The delay counts from the
 * failure, never from the due time. Immutable and thread-safe, if the user's function is.
 */
public final class RetryPolicy {
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Duration STANDARD_FIRST = Duration.ofSeconds(1);
    private static final Duration STANDARD_CAP = Duration.ofMinutes(5);
    private static final List<Class<? extends Throwable>> HOPELESS = List.of(PayloadException.class);
    /** Bounds the search for a cause: chains of causes may be circles. */
    private static final int CAUSES = 100;

    private final Backoff backoff;
    private final int maxAttempts;
    private final List<Class<? extends Throwable>> noRetryOn;

    private RetryPolicy(Backoff backoff, int maxAttempts, List<Class<? extends Throwable>> noRetryOn) {
        this.backoff = backoff;
        this.maxAttempts = maxAttempts;
        this.noRetryOn = noRetryOn;
    }

    private static RetryPolicy endless(Backoff backoff) {
        return new RetryPolicy(backoff, Integer.MAX_VALUE, HOPELESS);
    }

    /**
     * Doubles the delay with each failure, without end, and takes between 75 and 100 % of it by chance, so that what
     * failed together does not come back together.
     *
     * @param first the delay after the first failure, 1 ms to 365 days
     * @param cap the longest delay, {@code first} to 365 days
     * @throws IllegalArgumentException if a delay is out of range
     */
    public static RetryPolicy exponential(Duration first, Duration cap) {
        Limits.duration("first", first, Limits.SHORTEST, LONGEST);
        Limits.duration("cap", cap, first, LONGEST);
        return endless(new Backoff.Exponential(first, cap));
    }

    /**
     * Waits equally long after each failure, without end.
     *
     * @param delay 1 ms to 365 days
     * @throws IllegalArgumentException if {@code delay} is out of range
     */
    public static RetryPolicy fixed(Duration delay) {
        Limits.duration("delay", delay, Limits.SHORTEST, LONGEST);
        return endless((attempts, error, random) -> delay);
    }

    /**
     * Asks the user's function for each delay, without end. Where it throws, or returns null or a negative delay, the
     * delay is exponential from 1 s to 5 min, and that is logged once. A delay under 1 ms becomes 1 ms; one over the
     * cap, the cap.
     *
     * @param delay called on the engine's threads: must be quick, and not block
     * @param cap the longest delay, 1 ms to 365 days
     * @throws IllegalArgumentException if {@code delay} is null, or {@code cap} is null or out of range
     */
    public static RetryPolicy custom(RetryDelay delay, Duration cap) {
        Limits.given("delay", delay);
        Limits.duration("cap", cap, Limits.SHORTEST, LONGEST);
        return endless(new Backoff.Custom(delay, cap, new Backoff.Exponential(STANDARD_FIRST, STANDARD_CAP)));
    }

    /** Returns the policy of a publisher that was given none: exponential from 1 s to 5 min, without end. */
    static RetryPolicy standard() {
        return exponential(STANDARD_FIRST, STANDARD_CAP);
    }

    /**
     * Returns this policy with an end: a timer whose delivery has failed that often ends as {@link TimerState#DEAD}.
     * Without end by default.
     *
     * <p>Failures count that a {@link PartialPublishException} names, and all others while envelopes of the queue get
     * through. Otherwise a timer that fails alone cannot be told from an outage, which spends no attempts: it is tried
     * once a second until another one gets through, its deadline passes, or it fails with an error that is {@linkplain
     * #noRetryOn never retried}.
     *
     * @param most at least 1; a timer that kills its node is delivered once more than that
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public RetryPolicy maxAttempts(int most) {
        return new RetryPolicy(backoff, Limits.number("maxAttempts", most, 1, Integer.MAX_VALUE), noRetryOn);
    }

    /**
     * Returns this policy with other errors that are never retried: a timer that fails with one of them ends as
     * {@link TimerState#DEAD} at once, also when nothing else gets through. By default {@link PayloadException};
     * what is given replaces it, so name it too, unless a codec can fail for a while only (for want of a schema
     * registry, say). None retries everything. An {@link UnknownTypeException} that is not named puts a timer off.
     *
     * <p>Name errors that speak of the envelope, never of the connection. An error matches if it, or any of its causes,
     * is an instance of such a class. It has to be known to be this envelope's: thrown for a batch of one, or named by
     * a {@link PartialPublishException}; the engine tries the envelopes of a batch that failed one by one to find out.
     *
     * @throws IllegalArgumentException if one is null
     */
    @SafeVarargs
    public final RetryPolicy noRetryOn(Class<? extends Throwable>... errors) {
        List<Class<? extends Throwable>> named = new ArrayList<>();
        for (Class<? extends Throwable> error : errors) {
            named.add(Limits.given("noRetryOn", error));
        }
        return new RetryPolicy(backoff, maxAttempts, List.copyOf(named));
    }

    /** Returns what the engine asks. */
    RetryRule rule() {
        return new RetryRule() {
            @Override
            public boolean isExhausted(int attempts) {
                return RetryPolicy.this.isExhausted(attempts);
            }

            @Override
            public boolean isHopeless(Throwable error) {
                return RetryPolicy.this.isHopeless(error);
            }

            @Override
            public Duration delay(int attempts, Throwable error, RandomGenerator random) {
                return backoff.delay(attempts, error, random);
            }
        };
    }

    /** Returns whether there is no further attempt after this many failed. */
    boolean isExhausted(int attempts) {
        return attempts >= maxAttempts;
    }

    /** Returns whether such an error is never retried: it, or one of its causes, is {@linkplain #noRetryOn named}. */
    boolean isHopeless(Throwable error) {
        Throwable cause = error;
        for (int i = 0; cause != null && i < CAUSES; i++) {
            Throwable each = cause;
            if (noRetryOn.stream().anyMatch(named -> named.isInstance(each))) {
                return true;
            }
            cause = Errors.cause(each);
        }
        return false;
    }

    /** A kind of delays before retries. Thread-safe. */
    @FunctionalInterface
    private interface Backoff {
        /** Returns how long to wait after this many failures, at least 1; the last one was this. */
        Duration delay(int attempts, Throwable error, RandomGenerator random);

        /** A delay that doubles with each failure, of which 75 to 100 % are taken by chance. */
        record Exponential(Duration first, Duration cap) implements Backoff {
            private static final int DOUBLINGS = 40;

            @Override
            public Duration delay(int attempts, Throwable error, RandomGenerator random) {
                double factor = Math.pow(2, Math.min(attempts - 1, DOUBLINGS));
                double nanos = Math.min((double) first.toNanos() * factor, (double) cap.toNanos());
                return Duration.ofNanos((long) (nanos * (0.75 + 0.25 * random.nextDouble())));
            }
        }

        /** The user's function, and another kind where its answer makes no sense. */
        final class Custom implements Backoff {
            private static final Logger LOG = LoggerFactory.getLogger(RetryPolicy.class);

            private final RetryDelay function;
            private final Duration cap;
            private final Backoff otherwise;
            private final AtomicBoolean warned = new AtomicBoolean();

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
                return delay.compareTo(cap) > 0 ? cap : delay.compareTo(Limits.SHORTEST) < 0 ? Limits.SHORTEST : delay;
            }

            /** Returns what the function returns, or null if that is no delay. */
            private @Nullable Duration ask(int attempts, Throwable error) {
                Answer<Duration> answer = UserCode.ofThisThread().call(() -> function.after(attempts, error));
                Duration delay = answer.value();
                Throwable thrown = answer.error();
                if (thrown != null) {
                    warn("failed with %s at %s".formatted(thrown.getClass().getName(), place(thrown)));
                } else if (delay != null && !delay.isNegative()) {
                    return delay;
                } else {
                    warn("must be at least PT0S but was " + delay);
                }
                return null;
            }

            /**
             * The place, and not the message: the function was given the publisher's error, which may quote a payload.
             */
            private static String place(Throwable error) {
                StackTraceElement[] trace = Errors.trace(error);
                return trace.length == 0 ? "an unknown place" : trace[0].toString();
            }

            private void warn(String what) {
                if (warned.compareAndSet(false, true)) {
                    LOG.warn(
                            "retry delay of {} {}; exponential delays are used instead, and this is logged once",
                            function.getClass().getName(),
                            what);
                }
            }
        }
    }
}
