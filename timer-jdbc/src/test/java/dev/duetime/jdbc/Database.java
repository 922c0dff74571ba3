package dev.duetime.jdbc;

/** Names the databases that tests run on. */
enum Database {
    H2,
    SQLITE,
    POSTGRESQL,
    MARIADB;

    /** Begins to use databases of this kind; skips the test where there is no server. */
    FreshDatabases open() {
        return switch (this) {
            case H2 -> new H2Databases();
            case SQLITE -> new SqliteDatabases();
            case POSTGRESQL -> new PostgresDatabases();
            case MARIADB -> new MariaDbDatabases();
        };
    }
}
