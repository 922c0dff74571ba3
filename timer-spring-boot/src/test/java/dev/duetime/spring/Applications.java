package dev.duetime.spring;

import dev.duetime.Timer;
import dev.duetime.spring.actuate.DuetimeEndpointAutoConfiguration;
import dev.duetime.spring.actuate.DuetimeHealthAutoConfiguration;
import dev.duetime.spring.actuate.DuetimeMetricsAutoConfiguration;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.autoconfigure.DuetimeDisabledAutoConfiguration;
import dev.duetime.spring.autoconfigure.DuetimeTodoAutoConfiguration;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.UUID;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Spring Boot applications for tests, each on its own database in memory, in virtual time. */
final class Applications {
    private Applications() {}

    /** Returns an application with Flyway, transactions, metrics and health. */
    static ApplicationContextRunner runner() {
        return on("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    static ApplicationContextRunner on(String url) {
        return inRealTime(url).withBean(TestClock.class, TestClock::new);
    }

    /** Returns an application whose loops run in threads. */
    static ApplicationContextRunner inRealTime(String url) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        FlywayAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        DuetimeAutoConfiguration.class,
                        DuetimeDisabledAutoConfiguration.class,
                        DuetimeHealthAutoConfiguration.class,
                        DuetimeMetricsAutoConfiguration.class,
                        DuetimeEndpointAutoConfiguration.class,
                        DuetimeTodoAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + url, "spring.datasource.username=sa");
    }

    static ApplicationContextRunner on(FreshDatabase database, boolean autoCommit) {
        return on(database.url())
                .withPropertyValues(
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "spring.datasource.hikari.auto-commit=" + autoCommit,
                        "spring.datasource.hikari.maximum-pool-size=3");
    }

    static Timer timer(String id, String type) {
        return Timer.after(id, Duration.ofMinutes(15)).type(type).build();
    }
}
