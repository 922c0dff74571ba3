package dev.duetime.spring.console;

import dev.duetime.Scheduler;
import dev.duetime.console.ConsoleAccess;
import dev.duetime.console.ConsoleServlet;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.spring.properties.DuetimeProperties;
import jakarta.servlet.Servlet;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The auto-configuration that serves the pages for operators on the application's own server, if {@code
 * duetime.console.enabled} is true. It needs the module timer-console and a server of servlets.
 *
 * <p>A {@link ConsoleAccess} bean says who may do what. Without one, users of Spring Security have the roles that the
 * properties name. Without either, the server must be one that only this machine reaches, and everybody may do
 * everything. Otherwise the application does not start.
 */
@AutoConfiguration(after = DuetimeAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "duetime.console.enabled")
@ConditionalOnBean(Scheduler.class)
public final class DuetimeConsoleAutoConfiguration {

    /** The console in a servlet. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({ConsoleServlet.class, Servlet.class, ServletRegistrationBean.class})
    @EnableConfigurationProperties(DuetimeProperties.class)
    static final class OnServlets {

        /** Returns the servlet and its path. It is no bean of its own: Spring Boot would map it to a second path. */
        @Bean
        @ConditionalOnMissingBean(name = "duetimeConsole")
        ServletRegistrationBean<ConsoleServlet> duetimeConsole(
                Scheduler scheduler,
                DuetimeProperties properties,
                Environment environment,
                ConfigurableBeanFactory beans,
                ObjectProvider<ConsoleAccess> access) {
            ConsoleMount mount = new ConsoleMount(properties.console(), environment, beans.getBeanClassLoader());
            ServletRegistrationBean<ConsoleServlet> servlet =
                    new ServletRegistrationBean<>(mount.servlet(scheduler, access.getIfAvailable()), mount.mapping());
            servlet.setName("duetimeConsole");
            servlet.setAsyncSupported(true);
            return servlet;
        }

        @Bean
        ConsoleLifecycle duetimeConsoleLifecycle(ServletRegistrationBean<ConsoleServlet> duetimeConsole) {
            return new ConsoleLifecycle(Objects.requireNonNull(duetimeConsole.getServlet()));
        }
    }

    /** The error of an application without the module. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("dev.duetime.console.ConsoleServlet")
    static final class WithoutModule {
        WithoutModule() {
            throw new StartRefusedException(
                    "duetime.console.enabled is true, but the module timer-console is not on the class path");
        }
    }

    /** The error of an application without a server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnNotWebApplication
    static final class WithoutServer {
        WithoutServer() {
            throw noServer();
        }
    }

    /** The error of an application whose server knows no servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static final class WithoutServlets {
        WithoutServlets() {
            throw noServer();
        }
    }

    private static StartRefusedException noServer() {
        return new StartRefusedException(
                "duetime.console.enabled is true, but the application has no server of servlets",
                "start a ConsoleServer instead");
    }
}
