package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;

/**
 * A timer as it was when it was read, without its content.
 *
 * @param key its name
 * @param generation its token
 * @param state where it stood
 * @param recurs whether it is a recurring timer, which may move on to another generation by itself
 */
@Beta
public record TimerVersion(TimerKey key, long generation, TimerState state, boolean recurs) {}
