package dev.duetime.listener;

import java.time.Instant;

/**
 * The result of one tick for the overdue items of a to-do list.
 *
 * @param list the list
 * @param now the tick's time
 * @param done how many items were done
 * @param notYet how many items the handler left on the list
 * @param failed how many items failed; they are left on the list
 * @param closed how many items others closed or moved before the handler was called
 */
public record ListSweep(String list, Instant now, int done, int notYet, int failed, int closed) {}
