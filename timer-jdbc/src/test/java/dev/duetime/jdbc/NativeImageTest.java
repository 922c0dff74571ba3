package dev.duetime.jdbc;

import static dev.duetime.jdbc.contract.JdbcPart.query;
import static dev.duetime.jdbc.database.FreshDatabases.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.internal.schema.MigrationFiles;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a store creates its schema in a native image of GraalVM, too, where Flyway cannot search folders. The
 * property is the one by which a program knows that it is such an image.
 */
class NativeImageTest {
    private static final String IMAGE = "org.graalvm.nativeimage.imagecode";

    @AfterEach
    void isNoImage() {
        System.clearProperty(IMAGE);
    }

    /** Returns the number of migrations that ran. Flyway quotes its names, which H2 then takes as they are. */
    private static List<String> versions(Database kind, HikariDataSource pool) {
        String history = kind == Database.H2 ? "\"duetime_schema_history\"" : "duetime_schema_history";
        String script = kind == Database.H2 ? "\"script\"" : "script";
        return query(pool, "SELECT count(*) FROM %s WHERE %s LIKE 'V%%'".formatted(history, script));
    }

    /** Knows files but no folders, as an image does. */
    private static final class FolderlessLoader extends URLClassLoader {
        private static final String FOLDER = MigrationFiles.FOLDER + "/\\w+/?";

        FolderlessLoader(URL[] jars) {
            super(jars, ClassLoader.getPlatformClassLoader());
        }

        @Override
        public @Nullable URL findResource(String name) {
            return name.matches(FOLDER) ? null : super.findResource(name);
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            return name.matches(FOLDER) ? Collections.emptyEnumeration() : super.findResources(name);
        }
    }

    private static void openWithoutFolders(DataSource pool) throws Exception {
        URL[] jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(WithoutFlywayTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new FolderlessLoader(jars)) {
            Object opening = loader.loadClass(WithoutFlywayTest.Opening.class.getName())
                    .getConstructor(DataSource.class)
                    .newInstance(pool);
            assertThat(((Callable<?>) opening).call()).isEqualTo("opened");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void anImageMigratesByTheNamesOfTheFiles(Database kind) throws Exception {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            System.setProperty(IMAGE, "runtime");
            openWithoutFolders(pool);

            assertThat(versions(kind, pool)).containsExactly(String.valueOf(MigrationFiles.NAMES.size()));

            System.clearProperty(IMAGE);
            JdbcScheduleStore.of(pool);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Database.class,
            names = {"H2", "SQLITE"})
    void anImageAcceptsASchemaThatAJvmHasMigrated(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = pool(databases.create())) {
            JdbcScheduleStore.of(pool);
            System.setProperty(IMAGE, "runtime");

            JdbcScheduleStore.of(pool);

            assertThat(versions(kind, pool)).containsExactly(String.valueOf(MigrationFiles.NAMES.size()));
        }
    }
}
