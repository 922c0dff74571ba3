package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Tuning;

/**
 * The speed of a contestant with some settings, before it is measured.
 *
 * @param tuning the settings
 * @param fired how many timers a second it delivered
 * @param loaded how many timers a second it scheduled, in batches
 */
public record Pilot(Tuning tuning, double fired, double loaded) {}
