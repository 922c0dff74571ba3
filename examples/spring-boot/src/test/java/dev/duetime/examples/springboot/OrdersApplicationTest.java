package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** Tests of the application as its users run it: over HTTP, in real time, on a file, twice. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OrdersApplicationTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private ConfigurableApplicationContext start(String paymentTimeout) {
        return new SpringApplicationBuilder(OrdersApplication.class)
                .properties(Map.of("logging.register-shutdown-hook", "false"))
                .run(
                        "--server.port=0",
                        "--spring.security.user.password=secret",
                        "--spring.datasource.url=jdbc:h2:file:" + directory.resolve("orders"),
                        "--management.endpoints.web.exposure.include=duetime,health,metrics,prometheus",
                        "--orders.payment-timeout=" + paymentTimeout);
    }

    /** At SIGTERM the application closes the file, after all handled timers are settled. */
    @Test
    void h2DoesNotCloseTheFileByItself() throws IOException {
        Properties settings = PropertiesLoaderUtils.loadAllProperties("application.properties");

        assertThat(settings.getProperty("spring.datasource.url")).endsWith(";DB_CLOSE_ON_EXIT=FALSE");
    }

    @Test
    void anOrderPlacedBeforeAStopIsCancelledAfterTheNextStart(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext application = start("1s")) {
            assertThat(send(application, "PUT", "/orders/17").statusCode()).isEqualTo(201);
            assertThat(send(application, "PUT", "/orders/17").statusCode()).isEqualTo(409);
            assertThat(send(application, "GET", "/orders/17").body()).isEqualTo("PLACED");
            assertThat(send(application, "GET", "/orders/18").statusCode()).isEqualTo(404);
        }
        try (ConfigurableApplicationContext application = start("1h")) {
            while (!send(application, "GET", "/orders/17").body().equals("CANCELLED")) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            assertThat(send(application, "PUT", "/orders/17/payment").statusCode())
                    .isEqualTo(409);
            assertThat(send(application, "GET", "/actuator/health").body())
                    .contains("\"duetime\":{", "\"nodeId\":\"orders-", "\"status\":\"UP\"");
            assertThat(send(application, "GET", "/actuator/prometheus").body())
                    .contains("duetime_timer_delivered_total{queue=\"default\",type=\"payment-timeout\"} 1.0");
            assertThat(send(application, "GET", "/actuator/metrics/duetime.timer.lateness")
                            .body())
                    .contains("\"COUNT\",\"value\":1.0");
            pausesAndResumes(application);
        }
        assertThat(output).doesNotContain(" WARN ").doesNotContain(" ERROR ");
    }

    /** As docs/spring-boot.md says: the reason may be left out. */
    private void pausesAndResumes(ConfigurableApplicationContext application) throws Exception {
        String queue = "/actuator/duetime/default";
        assertThat(post(application, queue, "{\"paused\": true, \"reason\": \"maintenance\"}"))
                .isEqualTo(200);
        assertThat(send(application, "GET", "/actuator/duetime").body())
                .contains("\"up\":true", "\"queue\":\"default\"", "maintenance");
        assertThat(post(application, queue, "{\"paused\": false}")).isEqualTo(200);
        assertThat(send(application, "GET", "/actuator/duetime").body()).doesNotContain("maintenance");
    }

    @Test
    void theErrorForAWrongPropertyNamesIt(CapturedOutput output) {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(OrdersApplication.class)
                .run("--spring.datasource.url=jdbc:h2:mem:wrong", "--server.port=0", "--duetime.poll-interval=0s")) {
            assertThat(application).as("must not start").isNull();
        } catch (RuntimeException e) {
            assertThat(output)
                    .contains("APPLICATION FAILED TO START")
                    .contains("Invalid value '0s' for configuration property 'duetime.poll-interval'")
                    .contains("pollInterval must be at least PT0.001S but was PT0S");
        }
    }

    private HttpResponse<String> send(ConfigurableApplicationContext application, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = request(application, path)
                .method(method, BodyPublishers.noBody())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private int post(ConfigurableApplicationContext application, String path, String json)
            throws IOException, InterruptedException {
        HttpRequest request = request(application, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext application, String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }
}
