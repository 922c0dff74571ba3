package dev.duetime.listener;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import org.jspecify.annotations.Nullable;

/**
 * A timer that was given up. Its row is kept as {@link TimerState#DEAD}. Immutable and thread-safe.
 *
 * @param key its key
 * @param queue the queue in which it would have been delivered
 * @param content its content; null if that cannot be read
 * @param attempt how many deliveries were tried and counted
 * @param failure why it was given up
 */
public record DeadTimer(
        TimerKey key, String queue, @Nullable TimerContent content, int attempt, Failure failure) {}
