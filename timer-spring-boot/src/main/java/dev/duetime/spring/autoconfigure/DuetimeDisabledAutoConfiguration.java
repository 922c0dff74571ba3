package dev.duetime.spring.autoconfigure;

import dev.duetime.Scheduler;
import dev.duetime.Timers;
import dev.duetime.spring.properties.DuetimeProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * The auto-configuration for {@code duetime.enabled=false}. It provides the {@link Timers} that beans inject, so that
 * the application starts.
 */
@AutoConfiguration
@Conditional(EnabledOrNot.class)
@ConditionalOnBooleanProperty(name = "duetime.enabled", havingValue = false)
@ConditionalOnMissingBean({Scheduler.class, Timers.class})
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeDisabledAutoConfiguration {

    @Bean
    Timers duetimeTimers(DuetimeProperties properties) {
        return new DisabledTimers(properties.whenDisabled() == DuetimeProperties.WhenDisabled.FAIL);
    }
}
