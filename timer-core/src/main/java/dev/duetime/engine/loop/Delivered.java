package dev.duetime.engine.loop;

import java.time.Duration;
import java.time.Instant;

/**
 * The consequences of a delivery for the next read.
 *
 * @param backOffUntil the end of the back-off; {@link Instant#MIN} for no back-off
 * @param readsAtOnce whether to read again at once, without asking the store when the next timer is due
 * @param undeliverableFor for how long timers of this read stay due and cannot be delivered. Meanwhile the store is
 *     asked only for timers that are due later than this read. Zero if there are none
 */
public record Delivered(Instant backOffUntil, boolean readsAtOnce, Duration undeliverableFor) {}
