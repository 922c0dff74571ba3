package dev.duetime.spring.actuate;

import dev.duetime.metrics.TimerMetrics;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The auto-configuration that adds the scheduler's meters to the application's meter registry, if there is one. */
@AutoConfiguration(
        before = DuetimeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple."
                    + "SimpleMetricsExportAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple."
                    + "SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class DuetimeMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TimerMetrics duetimeMetrics(MeterRegistry registry) {
        return new TimerMetrics(registry);
    }
}
