package dev.duetime.jdbc.internal.schema;

import java.util.List;

/**
 * The artifact of Flyway that knows a database. Flyway is an optional dependency: the host chooses its version, and the
 * modules must have the version of the core.
 *
 * @param artifact the artifact, which brings Flyway's core
 * @param types its types by version; one of them is there if the artifact is
 */
public record FlywayModule(String artifact, List<String> types) {
    private static final String CORE = "org.flywaydb.core.Flyway";

    /** Returns the artifact for a database. */
    public static FlywayModule of(String database) {
        return switch (database) {
            case "postgres" ->
                new FlywayModule(
                        "org.flywaydb:flyway-database-postgresql",
                        List.of(
                                "org.flywaydb.database.postgresql.PostgreSQLDatabaseType",
                                "org.flywaydb.core.internal.database.postgresql.PostgreSQLDatabaseType"));
            case "mariadb", "mysql" ->
                new FlywayModule("org.flywaydb:flyway-mysql", List.of("org.flywaydb.database.mysql.MySQLDatabaseType"));
            default -> new FlywayModule("org.flywaydb:flyway-core", List.of(CORE));
        };
    }

    /** Returns whether Flyway's core is on the class path. */
    public static boolean isCorePresent() {
        return isPresent(CORE);
    }

    /** Returns whether the artifact is on the class path. */
    public boolean isPresent() {
        return types.stream().anyMatch(FlywayModule::isPresent);
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, FlywayModule.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return artifact;
    }
}
