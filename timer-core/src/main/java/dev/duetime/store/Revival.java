package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerKey;

/**
 * A timer that an operator schedules again, because it is dead or must not wait.
 *
 * @param key its name
 * @param generation the token that it had when the operator found it
 * @param newGeneration the token that it gets; from {@code 0} to {@code 2^62 - 1}, never used before
 */
@Beta
public record Revival(TimerKey key, long generation, long newGeneration) {}
