package dev.duetime.spring;

import dev.duetime.SchedulerBuilder;

/**
 * Sets up the scheduler further, as a bean: queues with publishers of their own, types, retries. Called once, after
 * properties and beans were applied, so that it has the last word; several in the order of their {@code @Order}.
 */
@FunctionalInterface
public interface SchedulerCustomizer {

    /** Changes the settings of a scheduler that is about to be built. */
    void customize(SchedulerBuilder builder);
}
