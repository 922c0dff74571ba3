package dev.duetime.listener;

import java.time.Instant;

/**
 * Tells what became of the overdue items of a to-do list on one tick.
 *
 * @param list the list
 * @param now the tick's time
 * @param done how many items the handler said were done
 * @param notYet how many it left on the list
 * @param failed how many it threw for; they are left on the list
 * @param closed how many were closed or moved by others between being read and their turn
 */
public record ListSweep(String list, Instant now, int done, int notYet, int failed, int closed) {}
