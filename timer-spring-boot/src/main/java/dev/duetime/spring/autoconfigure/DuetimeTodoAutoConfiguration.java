package dev.duetime.spring.autoconfigure;

import dev.duetime.spring.TodoHandlers;
import dev.duetime.spring.internal.handler.TodoMethods;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The auto-configuration of {@link TodoHandlers}, also where there is no scheduler: queues are built from them. */
@AutoConfiguration
public final class DuetimeTodoAutoConfiguration {

    @Bean
    static TodoMethods duetimeTodoHandlers(ConfigurableListableBeanFactory beans) {
        return new TodoMethods(beans);
    }
}
