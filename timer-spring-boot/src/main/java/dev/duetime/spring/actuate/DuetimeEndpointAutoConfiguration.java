package dev.duetime.spring.actuate;

import dev.duetime.Scheduler;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.properties.DuetimeProperties;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The auto-configuration of the actuator's endpoint {@code duetime}, where it is exposed. */
@AutoConfiguration(after = DuetimeAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Scheduler.class)
@ConditionalOnAvailableEndpoint(endpoint = DuetimeEndpoint.class)
@EnableConfigurationProperties(DuetimeProperties.class)
public final class DuetimeEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DuetimeEndpoint duetimeEndpoint(Scheduler scheduler, DuetimeProperties properties) {
        return new DuetimeEndpoint(scheduler, properties);
    }
}
