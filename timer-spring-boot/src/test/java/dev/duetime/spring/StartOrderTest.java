package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.Timers;
import dev.duetime.spring.internal.host.UnsupportedHostException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests of what must come before what when an application starts. */
class StartOrderTest {
    private static final String WITHOUT_DATA_SOURCE =
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private static String url() {
        return "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private static SpringApplicationBuilder application(Class<?> configuration) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false);
    }

    /** A bean that is created before those of any auto-configuration. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class EarlyScheduler {
        @Bean
        String node(Scheduler scheduler) {
            return scheduler.admin().health().nodeId();
        }
    }

    @Test
    void theStoreOpensAfterTheMigrationsOfTheApplication() {
        // The application's Flyway refuses a schema that has tables already.
        try (ConfigurableApplicationContext context =
                application(EarlyScheduler.class).run(url())) {
            assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                            .queryForObject("SELECT count(*) FROM orders", Integer.class))
                    .isZero();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithService {
        @Bean
        String service(Timers timers) {
            return timers.now().toString();
        }
    }

    /** A class path that is searched from its end. */
    private static final class Reversed extends ClassLoader {
        Reversed(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            List<URL> found = Collections.list(super.getResources(name));
            Collections.reverse(found);
            return Collections.enumeration(found);
        }
    }

    @Test
    void ourAnalysisOfAMissingBeanIsAskedFirstWhateverTheClassPath() {
        ClassLoader inOrder = getClass().getClassLoader();
        for (ClassLoader each : List.of(inOrder, new Reversed(inOrder))) {
            try (Output output = new Output()) {
                SpringApplicationBuilder application =
                        application(WithService.class).resourceLoader(new DefaultResourceLoader(each));

                assertThatThrownBy(() -> application.run(WITHOUT_DATA_SOURCE).close())
                        .isInstanceOf(Exception.class);

                assertThat(output.toString()).contains("there is no bean of type javax.sql.DataSource.");
            }
        }
    }

    /** An application that is started by reflection, in a class loader that has another Spring Boot. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Host {
        public static void start(String[] arguments) {
            SpringApplication application = new SpringApplication(Host.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setRegisterShutdownHook(false);
            application.run(arguments).close();
        }
    }

    /** The class path of this test, behind a directory that says which version Spring Boot has. */
    private static URL[] classPath(Path directory, String version) throws IOException {
        Path source = directory.resolve("SpringBootVersion.java");
        Files.writeString(source, """
                package org.springframework.boot;
                public final class SpringBootVersion {
                    public static String getVersion() {
                        return "%s";
                    }
                }
                """.formatted(version));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), source.toString()))
                .isZero();
        List<URL> all = new ArrayList<>();
        all.add(directory.toUri().toURL());
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(StartOrderTest::url)
                .forEach(all::add);
        return all.toArray(URL[]::new);
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void startOn(Path directory, String version) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(classPath(directory, version), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            loader.loadClass(Host.class.getName())
                    .getMethod("start", String[].class)
                    .invoke(null, (Object) new String[] {url(), "--spring.flyway.enabled=false"});
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aHostWithAnOldSpringBootIsRefusedAtItsStart(@TempDir Path directory) {
        try (Output output = new Output()) {
            assertThatThrownBy(() -> startOn(directory, "3.4.13"))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasStackTraceContaining(UnsupportedHostException.class.getName())
                    .hasStackTraceContaining("Spring Boot must be 3.5 or 4 for Duetime but was 3.4.13");

            assertThat(output.toString()).contains("Upgrade Spring Boot");
        }
    }

    @Test
    void aHostWithTheOldestSupportedSpringBootStarts(@TempDir Path directory) throws Exception {
        startOn(directory, "3.5.0");
    }
}
