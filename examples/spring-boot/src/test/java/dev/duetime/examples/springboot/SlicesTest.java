package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.annotation.ImportCandidates;

/** Tests that the slices for tests of the data layer include Duetime, on each Spring Boot that we support. */
class SlicesTest {

    /** Returns the slices whose module is here: all of Spring Boot 3.5, and that for JDBC of Spring Boot 4. */
    private static List<Class<?>> slices() {
        return Stream.of(
                        "org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureJdbc",
                        // Spring Boot 3.5
                        "org.springframework.boot.test.autoconfigure.data.jdbc.AutoConfigureDataJdbc",
                        "org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureJdbc",
                        "org.springframework.boot.test.autoconfigure.orm.jpa.AutoConfigureDataJpa")
                .<Class<?>>flatMap(SlicesTest::found)
                .toList();
    }

    private static Stream<Class<?>> found(String name) {
        try {
            return Stream.of(Class.forName(name));
        } catch (ClassNotFoundException e) {
            return Stream.of();
        }
    }

    @Test
    void everySliceOfTheDataLayerIncludesDuetime() {
        assertThat(slices())
                .isNotEmpty()
                .allSatisfy(slice -> assertThat(
                                ImportCandidates.load(slice, getClass().getClassLoader()))
                        .contains(DuetimeAutoConfiguration.class.getName()));
    }
}
