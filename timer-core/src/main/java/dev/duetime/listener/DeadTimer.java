package dev.duetime.listener;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a timer that is given up; it is kept, as {@link TimerState#DEAD}. Immutable and thread-safe.
 *
 * @param key its name
 * @param queue where it would have been delivered
 * @param content what it says; null if that cannot be read
 * @param attempt how many deliveries were tried and counted
 * @param failure why
 */
public record DeadTimer(
        TimerKey key, String queue, @Nullable TimerContent content, int attempt, Failure failure) {}
