package dev.duetime.spring;

import dev.duetime.SchedulerBuilder;

/**
 * A bean that sets up the scheduler further: queues with their own publishers, types, retries. It is called once, after
 * properties and beans were applied, so it has the last word. Several customizers are called in the order of their
 * {@code @Order}.
 */
@FunctionalInterface
public interface SchedulerCustomizer {

    /** Changes the settings of a scheduler that is about to be built. */
    void customize(SchedulerBuilder builder);
}
