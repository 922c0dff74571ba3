package dev.duetime;

import dev.duetime.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one type of timers: {@code Scheduler.builder().type("payment-reminder", type ->
 * type.validFor(Duration.ofHours(2)))}. A setting that is not made here is as on the timer's queue, or else as on the
 * scheduler. Each method checks what it is given. Not thread-safe.
 */
public final class TypeBuilder {
    private @Nullable Duration validFor;
    private @Nullable RetryPolicy retry;
    private @Nullable Integer concurrencyLimit;
    private @Nullable RateLimit rateLimit;

    TypeBuilder() {}

    /**
     * Sets how long after its due time a timer of this type is worth delivering, if the timer itself sets nothing; by
     * default the setting of its queue. Otherwise as {@link Timer.Builder#validFor}.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public TypeBuilder validFor(Duration validFor) {
        this.validFor = Limits.validFor(validFor);
        return this;
    }

    /**
     * Sets when a failed delivery of this type is retried; as on its queue by default.
     *
     * @throws IllegalArgumentException if {@code retry} is null
     */
    public TypeBuilder retry(RetryPolicy retry) {
        this.retry = Limits.given("retry", retry);
        return this;
    }

    /**
     * Limits how many timers of this type are in delivery at once, on all nodes together; any number by default.
     * Otherwise as {@link QueueBuilder#concurrencyLimit}. Each queue has a limit of its own.
     *
     * @param most 1 to 1,000,000
     * @throws IllegalArgumentException if it is out of range
     */
    public TypeBuilder concurrencyLimit(int most) {
        this.concurrencyLimit = QueueBuilder.concurrencyOf(most);
        return this;
    }

    /**
     * Limits how many timers of this type begin in a time, on all nodes together; any number by default. Otherwise as
     * {@link QueueBuilder#rateLimit}. Each queue has a limit of its own.
     *
     * @throws IllegalArgumentException if {@code limit} is null
     */
    public TypeBuilder rateLimit(RateLimit limit) {
        this.rateLimit = Limits.given("rateLimit", limit);
        return this;
    }

    @Nullable
    Integer concurrencyLimit() {
        return concurrencyLimit;
    }

    @Nullable
    RateLimit rateLimit() {
        return rateLimit;
    }

    @Nullable
    Duration validFor() {
        return validFor;
    }

    @Nullable
    RetryPolicy retry() {
        return retry;
    }
}
