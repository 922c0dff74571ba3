package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.Timers;
import dev.duetime.spring.properties.DuetimeProperties;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests of health, metrics and the descriptions of properties. */
class OperationTest {
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final ApplicationContextRunner application =
            Applications.runner().withBean(Publisher.class, () -> publisher);

    private static org.springframework.boot.health.contributor.Health health(AssertableApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean("duetimeHealthIndicator", HealthIndicator.class).health());
    }

    @Test
    void aNodeIsUpUntilAnOutageLastsForTheTolerance() {
        application.withPropertyValues("duetime.health-tolerance=2m").run(context -> {
            TestClock clock = context.getBean(TestClock.class);
            clock.runDue();
            context.getBean(Timers.class)
                    .schedule(Timer.after("a", Duration.ZERO).build());
            publisher.failAlways();

            clock.advance(Duration.ofSeconds(119));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            clock.advance(Duration.ofSeconds(1));
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(health(context).toString()).contains("publisherOutage", "since=2030-", "ownedShards");

            publisher.recover();
            clock.advance(Duration.ofSeconds(2));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void aNodeThatOnlySchedulesIsUp() {
        Applications.runner()
                .run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
        application
                .withPropertyValues("duetime.auto-startup=false")
                .run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
    }

    @Test
    void aNodeThatShouldRunButDoesNotIsDown() {
        application.run(context -> {
            context.getBean(Scheduler.class).close();

            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void healthCanBeTurnedOff() {
        application
                .withPropertyValues("management.health.duetime.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("duetimeHealthIndicator"));
    }

    @Test
    void theRegistryCountsWhatTheSchedulerDoes() {
        application.run(context -> {
            context.getBean(Timers.class)
                    .schedule(Timer.after("a", Duration.ZERO).type("x").build());
            context.getBean(TestClock.class).runDue();

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("duetime.timer.delivered")
                            .tag("type", "x")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void eachPropertyIsDescribedToEditors() throws IOException {
        String metadata;
        try (InputStream file =
                DuetimeProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(properties(DuetimeProperties.class, ""))
                .contains("batch-size", "jdbc.table-prefix")
                .allSatisfy(name -> assertThat(metadata)
                        .containsPattern("\"name\": \"duetime\\." + name + "\",\\s+\"type\": \"[A-Za-z.$<>,]+\","
                                + "\\s+\"description\": \"[A-Z]"));
    }

    @Test
    void eachPropertyIsOnThePage() throws IOException {
        String page = Files.readString(Path.of("../docs/spring-boot.md"));

        assertThat(properties(DuetimeProperties.class, ""))
                .allSatisfy(name ->
                        assertThat(page).containsAnyOf("`duetime." + name + "`", "`duetime." + name + ".<name>."));
    }

    private static Stream<String> properties(Class<?> type, String parent) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(each -> each.getType().isRecord()
                        ? properties(each.getType(), parent + dashed(each.getName()) + ".")
                        : Stream.of(parent + dashed(each.getName())));
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
