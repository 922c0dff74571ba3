package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.autoconfigure.DuetimeDisabledAutoConfiguration;
import dev.duetime.spring.autoconfigure.DuetimeTodoAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that each slice for tests of the data layer includes Duetime. Their modules are not all here. */
class SliceFilesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.boot.data.jdbc.test.autoconfigure.AutoConfigureDataJdbc",
                "org.springframework.boot.data.jpa.test.autoconfigure.AutoConfigureDataJpa",
                "org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureJdbc",
                // Spring Boot 3.5
                "org.springframework.boot.test.autoconfigure.data.jdbc.AutoConfigureDataJdbc",
                "org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureJdbc",
                "org.springframework.boot.test.autoconfigure.orm.jpa.AutoConfigureDataJpa"
            })
    void eachSliceHasAllOfDuetimeButWhatIsForOperators(String slice) throws IOException {
        try (InputStream file = getClass().getResourceAsStream("/META-INF/spring/" + slice + ".imports")) {
            assertThat(new String(Objects.requireNonNull(file, slice).readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactlyInAnyOrder(
                            DuetimeAutoConfiguration.class.getName(),
                            DuetimeDisabledAutoConfiguration.class.getName(),
                            DuetimeTodoAutoConfiguration.class.getName());
        }
    }
}
