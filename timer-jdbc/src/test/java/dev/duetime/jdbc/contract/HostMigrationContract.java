package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of our schema in an application that uses Flyway itself. */
abstract class HostMigrationContract extends JdbcPart {
    @TempDir
    Path migrations;

    HostMigrationContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void aHostMayMigrateBeforeUsAndLaterAgain() throws IOException {
        DataSource dataSource = newDatabase();
        host(dataSource).load().migrate();

        database.open(dataSource);
        Files.writeString(migrations.resolve("V2__more.sql"), "CREATE TABLE invoices (id INTEGER);");
        host(dataSource).load().migrate();

        database.open(dataSource);
        assertThat(query(dataSource, "SELECT count(*) FROM orders")).containsExactly("0");
        assertThat(query(dataSource, "SELECT count(*) FROM invoices")).containsExactly("0");
        assertThat(query(dataSource, "SELECT count(*) FROM timer_schedules")).containsExactly("0");
    }

    @Test
    void aHostThatMigratesAfterUsNeedsABaseline() throws IOException {
        DataSource dataSource = newDatabase();
        database.open(dataSource);

        assertThatThrownBy(() -> host(dataSource).load().migrate()).isInstanceOf(FlywayException.class);
        host(dataSource).baselineOnMigrate(true).baselineVersion("0").load().migrate();

        database.open(dataSource);
        assertThat(query(dataSource, "SELECT count(*) FROM orders")).containsExactly("0");
        assertThat(query(dataSource, "SELECT count(*) FROM timer_schedules")).containsExactly("0");
    }

    private FluentConfiguration host(DataSource dataSource) throws IOException {
        Files.writeString(migrations.resolve("V1__host.sql"), "CREATE TABLE orders (id INTEGER);");
        return Flyway.configure().dataSource(dataSource).locations("filesystem:" + migrations);
    }
}
