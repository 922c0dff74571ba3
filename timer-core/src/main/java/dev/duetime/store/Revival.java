package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerKey;

/**
 * The revival of a dead timer: it is scheduled again.
 *
 * @param key its name
 * @param generation the token with which it died
 * @param newGeneration the token that it gets; from {@code 0} to {@code 2^62 - 1}, never used before
 */
@Beta
public record Revival(TimerKey key, long generation, long newGeneration) {}
