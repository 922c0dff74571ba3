package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests of who may use the console, over HTTP. */
@Timeout(60)
class ConsoleSecurityTest {
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext start(String role) {
        return new SpringApplicationBuilder(OrdersApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=jdbc:h2:mem:" + role,
                        "--spring.security.user.name=anna",
                        "--spring.security.user.password=secret",
                        "--spring.security.user.roles=" + role);
    }

    private static URI address(ConfigurableApplicationContext application, String path) {
        return URI.create(
                "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    private HttpResponse<String> get(ConfigurableApplicationContext application, String password)
            throws IOException, InterruptedException {
        return http.send(
                request(application, "/duetime/queue?name=default", password).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(
            ConfigurableApplicationContext application, String path, String password) {
        String login = Base64.getEncoder().encodeToString(("anna:" + password).getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(address(application, path)).header("Authorization", "Basic " + login);
    }

    private int pause(ConfigurableApplicationContext application, String token)
            throws IOException, InterruptedException {
        HttpRequest form = request(application, "/duetime/do/queue", "secret")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Cookie", "duetime-console=" + token)
                .POST(BodyPublishers.ofString("action=pause&queue=default&reason=why&token=" + token))
                .build();
        return http.send(form, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void anOperatorSeesAndOperates() throws Exception {
        try (ConfigurableApplicationContext application = start("DUETIME_OPERATOR")) {
            assertThat(http.send(
                                    HttpRequest.newBuilder(address(application, "/duetime/"))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(get(application, "wrong").statusCode()).isEqualTo(401);
            HttpResponse<String> page = get(application, "secret");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("anna").doesNotContain("read only");
            Matcher token = TOKEN.matcher(page.body());
            assertThat(token.find()).isTrue();

            assertThat(pause(application, token.group(1))).isEqualTo(303);

            assertThat(get(application, "secret").body()).contains("by <b>anna</b>");
        }
    }

    @Test
    void aReaderOnlySees() throws Exception {
        try (ConfigurableApplicationContext application = start("DUETIME_READER")) {
            assertThat(get(application, "secret").body()).contains("anna · read only");

            assertThat(pause(application, "abcdefghijklmnopqrstuvwx")).isEqualTo(403);

            assertThat(get(application, "secret").body()).doesNotContain("This queue is paused");
        }
    }

    @Test
    void othersSeeNothingOfTheConsole() throws Exception {
        try (ConfigurableApplicationContext application = start("CUSTOMER")) {
            assertThat(get(application, "secret").statusCode()).isEqualTo(403);
        }
    }
}
