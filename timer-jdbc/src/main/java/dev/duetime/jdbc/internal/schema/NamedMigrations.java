package dev.duetime.jdbc.internal.schema;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.io.Reader;
import java.io.StringReader;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/**
 * The migrations as Flyway reads them where it cannot read the files itself: for tables whose names have a prefix, and
 * in a native image. Immutable.
 */
final class NamedMigrations implements ResourceProvider {
    private final SqlFiles statements;

    NamedMigrations(SqlFiles statements) {
        this.statements = statements;
    }

    @Override
    public @Nullable LoadableResource getResource(String name) {
        return MigrationFiles.NAMES.contains(name) ? new Named(name) : null;
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
        List<String> endings = List.of(suffixes);
        return MigrationFiles.NAMES.stream()
                .filter(name -> name.startsWith(prefix) && endings.stream().anyMatch(name::endsWith))
                .flatMap(name -> Stream.<LoadableResource>of(new Named(name)))
                .toList();
    }

    /** One migration. */
    private final class Named extends LoadableResource {
        private final String name;

        private Named(String name) {
            this.name = name;
        }

        @Override
        public Reader read() {
            return new StringReader(MigrationFiles.read(statements.dialect(), name, statements.names()));
        }

        @Override
        public String getAbsolutePath() {
            return MigrationFiles.FOLDER + "/" + statements.dialect() + "/" + name;
        }

        @Override
        public @Nullable String getAbsolutePathOnDisk() {
            return null;
        }

        @Override
        public String getFilename() {
            return name;
        }

        @Override
        public String getRelativePath() {
            return name;
        }
    }
}
