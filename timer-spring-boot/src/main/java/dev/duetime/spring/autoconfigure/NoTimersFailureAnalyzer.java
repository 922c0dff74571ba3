package dev.duetime.spring.autoconfigure;

import dev.duetime.Scheduler;
import dev.duetime.Timers;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** The analysis of a start that failed because there is no {@link Timers} or no {@link Scheduler}: it says why. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoTimersFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
    private final @Nullable ListableBeanFactory beans;
    private final Environment environment;

    /** Is called by Spring Boot. */
    NoTimersFailureAnalyzer(BeanFactory beans, Environment environment) {
        this.beans = beans instanceof ListableBeanFactory listable ? listable : null;
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        Class<?> missing = cause.getBeanType();
        if (missing != Timers.class && missing != Scheduler.class) {
            return null;
        }
        String description =
                "The application needs a bean of type %s, and there is none: ".formatted(missing.getName());
        if (environment.getProperty("duetime.enabled", "true").equalsIgnoreCase("false")) {
            return new FailureAnalysis(
                    description + "duetime.enabled is false.",
                    "Set duetime.enabled=true, or inject Timers, which then exist also without a scheduler"
                            + " (duetime.when-disabled says what they do).",
                    cause);
        }
        List<String> dataSources = dataSources();
        if (dataSources.isEmpty()) {
            return new FailureAnalysis(
                    description + "there is no bean of type javax.sql.DataSource.",
                    "Add spring-boot-starter-jdbc (or -data-jpa), the driver, and spring.datasource.url.",
                    cause);
        }
        return new FailureAnalysis(
                description
                        + "the auto-configuration of Duetime was not applied. Spring Boot is %s, and the data sources"
                                .formatted(SpringBootVersion.getVersion())
                        + " are %s.".formatted(dataSources),
                "Check that @EnableAutoConfiguration (or @SpringBootApplication) is there, and that neither"
                        + " spring.autoconfigure.exclude nor a test slice leaves out "
                        + DuetimeAutoConfiguration.class.getName()
                        + ". In a slice, add @ImportAutoConfiguration(DuetimeAutoConfiguration.class). Start with --debug"
                        + " to see its conditions.",
                cause);
    }

    private List<String> dataSources() {
        return beans == null
                ? List.of()
                : Arrays.asList(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, false, false));
    }
}
