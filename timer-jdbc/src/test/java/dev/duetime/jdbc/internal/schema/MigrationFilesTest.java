package dev.duetime.jdbc.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a new migration is known to everything that reads migrations. */
class MigrationFilesTest {

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void everyMigrationIsListedInOrder(String database) throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(path("migrations/" + database))) {
            List<String> names = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".sql"))
                    .toList();
            assertThat(MigrationFiles.NAMES)
                    .as("a new migration is added to MigrationFiles.NAMES")
                    .containsExactlyInAnyOrderElementsOf(names);
        }
        for (int i = 0; i < MigrationFiles.NAMES.size(); i++) {
            assertThat(MigrationFiles.NAMES.get(i)).startsWith("V" + (i + 1) + "__");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void liquibasesChangelogRunsEveryMigrationInOrder(String database) throws IOException, URISyntaxException {
        String changelog = Files.readString(path("changelog.xml"));

        assertThat(changelog)
                .containsSubsequence(MigrationFiles.NAMES.stream()
                        .map(name -> "<sqlFile path=\"migrations/" + database + "/" + name + "\"")
                        .toList());
    }

    @Test
    void theCheckOfTablesAsksForEveryVersion() throws IOException, URISyntaxException {
        String check = Files.readString(path("sql/common/tables.sql"));

        for (int version = 2; version <= MigrationFiles.NAMES.size(); version++) {
            assertThat(check)
                    .as("what a migration adds is marked with its version, unless it adds only indexes")
                    .contains("-- if v" + version + "\n");
        }
    }

    private static Path path(String resource) throws URISyntaxException {
        return Path.of(JdbcScheduleStore.class.getResource(resource).toURI());
    }
}
