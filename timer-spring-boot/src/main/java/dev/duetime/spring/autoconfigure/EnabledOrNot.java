package dev.duetime.spring.autoconfigure;

import dev.duetime.spring.internal.host.HostCheck;
import dev.duetime.spring.internal.host.UnsupportedHostException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A check that {@code duetime.enabled} is true or false, or absent. Spring's own condition is not met by any other
 * value, such as {@code on}, so the application would silently have no timers.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class EnabledOrNot implements Condition {
    private static final String NAME = "duetime.enabled";

    /**
     * {@inheritDoc}
     *
     * @return true
     * @throws UnsupportedHostException if this version of Spring Boot is not supported
     * @throws InvalidConfigurationPropertyValueException if it is neither true nor false
     */
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        HostCheck.springBoot();
        String value = context.getEnvironment().getProperty(NAME);
        if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new InvalidConfigurationPropertyValueException(
                    NAME, value, "enabled must be true or false but was " + value);
        }
        return true;
    }
}
