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

    @Nullable
    Duration validFor() {
        return validFor;
    }

    @Nullable
    RetryPolicy retry() {
        return retry;
    }
}
