package dev.duetime.spring.actuate;

import dev.duetime.Scheduler;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.properties.DuetimeProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The auto-configuration that shows the health of this node as {@code duetime} in the application's health. */
@AutoConfiguration(after = DuetimeAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Scheduler.class)
@ConditionalOnEnabledHealthIndicator("duetime")
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "duetimeHealthIndicator")
    HealthIndicator duetimeHealthIndicator(Scheduler scheduler, DuetimeProperties properties) {
        SchedulerHealth.check(properties);
        return () -> {
            SchedulerHealth health = SchedulerHealth.of(scheduler, properties);
            return (health.isUp() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
