package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

/** Tests that Spring can process the application ahead of time, as it does for a native image. */
class AheadOfTimeTest {
    @TempDir
    Path directory;

    private String process() throws IOException {
        Settings settings = Settings.builder()
                .sourceOutput(directory.resolve("sources"))
                .resourceOutput(directory.resolve("resources"))
                .classOutput(directory.resolve("classes"))
                .groupId("dev.duetime.examples")
                .artifactId("orders")
                .build();
        new SpringApplicationAotProcessor(OrdersApplication.class, settings, new String[0]).process();
        try (Stream<Path> files = Files.walk(directory.resolve("resources"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .map(AheadOfTimeTest::text)
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theHintsOfAnImageNameThePayloadAndWhatTheConsoleLooksFor() throws IOException {
        String hints = process();

        assertThat(hints)
                .contains("\"dev.duetime.examples.springboot.PaymentTimeout\"")
                .contains("\"org.springframework.security.web.SecurityFilterChain\"")
                .contains("\"dev.duetime.spring.properties.DuetimeProperties\"");
        assertThat(directory.resolve("sources/dev/duetime/spring/autoconfigure"))
                .isDirectoryContaining("glob:**DuetimeAutoConfiguration*.java");
    }
}
