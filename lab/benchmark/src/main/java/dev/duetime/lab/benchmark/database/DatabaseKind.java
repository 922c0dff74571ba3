package dev.duetime.lab.benchmark.database;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The databases to measure on. */
public enum DatabaseKind {
    POSTGRES,
    MARIADB,
    MYSQL,
    H2,
    SQLITE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the folder of its statements. MySQL understands those of MariaDB. */
    public String statements() {
        return this == MYSQL ? MARIADB.label() : label();
    }

    /** Returns whether it runs inside this process. */
    public boolean isEmbedded() {
        return this == H2 || this == SQLITE;
    }

    /**
     * Begins to use one database that outlives the run.
     *
     * @param url a running server
     * @param name the name of a schema of PostgreSQL, or of a database of MariaDB or MySQL; created if it is missing
     * @throws IllegalArgumentException if this database has no server
     */
    public FreshDatabases openKept(@Nullable String url, String name) throws Exception {
        if (isEmbedded() || url == null) {
            throw new IllegalArgumentException("--keep needs a server that is named by --url");
        }
        return new KeptDatabase(open(url), name);
    }

    /**
     * Begins to use databases of this kind.
     *
     * @param url a running server; null for a server of our own
     */
    public FreshDatabases open(@Nullable String url) throws Exception {
        return switch (this) {
            case POSTGRES -> url == null ? PostgresDatabases.embedded() : new PostgresDatabases(url, null);
            case MARIADB, MYSQL -> new MariaDbDatabases(this, url);
            case H2 -> new FileDatabases(this, "jdbc:h2:file:%s;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=0");
            case SQLITE ->
                new FileDatabases(
                        this,
                        "jdbc:sqlite:%s?journal_mode=WAL&synchronous=FULL&transaction_mode=IMMEDIATE"
                                + "&busy_timeout=60000");
        };
    }
}
