package dev.duetime.lab.benchmark.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A supply of empty databases, one for each run. So no contestant finds data of another one. */
public interface FreshDatabases extends AutoCloseable {

    /** Returns the URL of a new, empty database. */
    String create() throws SQLException;

    /**
     * Returns the URL of the database with this name, which is created if it is missing.
     *
     * @throws UnsupportedOperationException if databases of this kind have no names, as by default
     */
    default String create(String name) throws SQLException {
        throw new UnsupportedOperationException("databases of this kind have no names");
    }

    /** Removes a database that {@link #create} returned. */
    void drop(String url) throws SQLException;

    /** Updates statistics and writes a checkpoint, so that the run does not pay for them. */
    void settle(Connection connection) throws SQLException;

    /** Returns the version, and the settings that matter for durability and speed. */
    Map<String, String> settings(Connection connection) throws SQLException;

    /** Returns the URL of the server, for other processes; null if databases are files, which each process creates. */
    @Nullable
    String serverUrl();

    @Override
    void close() throws SQLException;
}
