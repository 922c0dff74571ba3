package dev.duetime.engine.loop;

import java.time.Duration;
import java.time.Instant;

/**
 * The consequences of a delivery for the next read.
 *
 * @param backOffUntil the end of the back-off; {@link Instant#MIN} for no back-off
 * @param readsOn whether to read again at once, without asking the store when the next timer is due
 * @param passesOverFor for how long to ask only for timers that are due later than this read, because the timers of
 *     this read stay due and cannot be delivered now; zero if there are none
 */
public record Delivered(Instant backOffUntil, boolean readsOn, Duration passesOverFor) {}
