package dev.duetime.spring.boot3;

import dev.duetime.Scheduler;
import dev.duetime.spring.actuate.SchedulerHealth;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.properties.DuetimeProperties;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The auto-configuration that shows the health of this node as {@code duetime}, on Spring Boot 3.5. */
@AutoConfiguration(after = DuetimeAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Scheduler.class)
@ConditionalOnEnabledHealthIndicator("duetime")
@EnableConfigurationProperties(DuetimeProperties.class)
public final class Boot3HealthAutoConfiguration {

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
