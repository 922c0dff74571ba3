package dev.duetime.spring;

import dev.duetime.Scheduler;
import dev.duetime.Timers;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Gives beans that inject {@link Timers} something to start with where {@code duetime.enabled} is false. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "duetime.enabled", havingValue = false)
@ConditionalOnMissingBean({Scheduler.class, Timers.class})
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeDisabledAutoConfiguration {

    @Bean
    Timers duetimeTimers(DuetimeProperties properties) {
        return new DisabledTimers(properties.whenDisabled() == DuetimeProperties.WhenDisabled.FAIL);
    }
}
