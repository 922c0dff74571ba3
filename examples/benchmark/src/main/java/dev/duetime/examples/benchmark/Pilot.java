package dev.duetime.examples.benchmark;

/**
 * Is what a contestant reached with some settings, before it is measured.
 *
 * @param tuning the settings
 * @param fired how many timers a second it delivered
 * @param loaded how many timers a second it scheduled, in batches
 */
record Pilot(Tuning tuning, double fired, double loaded) {}
