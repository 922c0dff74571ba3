package dev.duetime.console.internal.action;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One action on single timers, or on a queue, that an operator took through this console.
 *
 * @param at when
 * @param user who
 * @param what the action in one word
 * @param subject what it was done to, as a text for people
 * @param timers how many timers were changed; 0 for a queue
 * @param tenants the tenants of the timers; null for a queue, which concerns all
 */
public record Deed(
        Instant at,
        String user,
        String what,
        String subject,
        long timers,
        @Nullable Set<String> tenants) {}
