package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.console.ConsoleAccess;
import dev.duetime.console.Grant;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.console.DuetimeConsoleAutoConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests of the console on the application's own server. */
class ConsoleTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private static WebApplicationContextRunner runner() {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DuetimeAutoConfiguration.class,
                        DuetimeConsoleAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .withBean(Publisher.class, () -> batch -> {})
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:console;DB_CLOSE_DELAY=-1");
    }

    @Test
    void thereIsNoConsoleUnlessItIsSwitchedOn() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("duetimeConsole"));
        runner().withPropertyValues("duetime.console.enabled=true", "server.address=127.0.0.1", "duetime.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("duetimeConsole"));
    }

    @Test
    void aServerForOthersIsRefusedWithoutSomebodyToSayWhoMayUseIt() {
        WebApplicationContextRunner on = runner().withPropertyValues("duetime.console.enabled=true");

        on.run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("bean of type ConsoleAccess")
                .hasMessageContaining("server.address"));
        on.withPropertyValues("server.address=0.0.0.0")
                .run(context -> assertThat(context).hasFailed());
        on.withPropertyValues("server.address=127.0.0.1")
                .run(context -> assertThat(context).hasNotFailed().hasBean("duetimeConsole"));
        on.withBean(ConsoleAccess.class, () -> request -> Grant.read("rita"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("duetimeConsole"));
    }

    @Test
    void whatIsMissingIsNamed() {
        runner().withClassLoader(new FilteredClassLoader("dev.duetime.console"))
                .withPropertyValues("duetime.console.enabled=true")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("timer-console"));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DuetimeAutoConfiguration.class,
                        DuetimeConsoleAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:plain", "duetime.console.enabled=true")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("ConsoleServer"));
    }

    @Test
    void aWrongPathNamesItsProperty() {
        for (String path : new String[] {"", "/", "ops", "/ops/", "/a b", "/*"}) {
            runner().withPropertyValues(
                            "duetime.console.enabled=true", "server.address=127.0.0.1", "duetime.console.path=" + path)
                    .run(context -> assertThat(context.getStartupFailure())
                            .as(path)
                            .rootCause()
                            .hasMessageContaining("duetime.console.path"));
        }
        runner().withPropertyValues(
                        "duetime.console.enabled=true", "server.address=127.0.0.1", "duetime.console.base-path=ops")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("duetime.console.base-path"));
    }

    /** An application as its users write it, on a real server. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class,
        DuetimeAutoConfiguration.class,
        DuetimeConsoleAutoConfiguration.class
    })
    static class Application {
        @Bean
        Publisher publisher() {
            return batch -> {};
        }

        @Bean
        ConsoleAccess access() {
            return request -> {
                String user = request.header("x-user");
                return user == null ? Grant.none() : user.equals("olga") ? Grant.operate(user) : Grant.read(user);
            };
        }
    }

    private static ConfigurableApplicationContext start(String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        String[] arguments = {
            "--server.port=0",
            "--spring.datasource.url=jdbc:h2:mem:served;DB_CLOSE_DELAY=-1",
            "--duetime.console.enabled=true",
            "--duetime.console.path=/ops/timers"
        };
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return application.run(all);
    }

    private HttpResponse<String> get(ConfigurableApplicationContext context, String path, String... headers)
            throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void theConsoleIsServedBelowTheApplicationToThoseWithAccess() throws Exception {
        try (ConfigurableApplicationContext context = start("--server.servlet.context-path=/shop")) {
            assertThat(context.getBeansOfType(ServletRegistrationBean.class)).hasSize(1);
            assertThat(get(context, "/shop/ops/timers/").statusCode()).isEqualTo(403);
            HttpResponse<String> page = get(context, "/shop/ops/timers/", "x-user", "rita");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body())
                    .contains("href=\"/shop/ops/timers/nodes\"", "rita · read only")
                    .doesNotContain("href=\"/nodes\"");
            assertThat(get(context, "/shop/ops/other").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aProxysPrefixIsBeforeEachPath() throws Exception {
        try (ConfigurableApplicationContext context = start("--duetime.console.base-path=/public/timers")) {
            assertThat(get(context, "/ops/timers/", "x-user", "rita").body())
                    .contains("href=\"/public/timers/nodes\"", "href=\"/public/timers/assets/console.css\"");
            assertThat(get(context, "/ops/timers/assets/console.css").statusCode())
                    .isEqualTo(200);
        }
        try (ConfigurableApplicationContext context = start("--server.forward-headers-strategy=framework")) {
            assertThat(get(context, "/ops/timers/", "x-user", "rita", "x-forwarded-prefix", "/public")
                            .body())
                    .contains("href=\"/public/ops/timers/nodes\"");
        }
    }

    @Test
    void anOpenStreamDoesNotKeepTheApplicationFromStopping() throws Exception {
        ConfigurableApplicationContext context = start();
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/ops/timers/live"))
                .header("x-user", "rita")
                .build();
        try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
            var each = lines.iterator();
            assertThat(each.next()).isEqualTo("event: tick");
            long before = System.nanoTime();

            context.close();

            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(7));
        }
    }
}
