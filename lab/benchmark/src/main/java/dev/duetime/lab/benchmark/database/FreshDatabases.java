package dev.duetime.lab.benchmark.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** A supply of empty databases, one for each run. So no contestant finds data of another one. */
public interface FreshDatabases extends AutoCloseable {

    /** Returns the URL of a new, empty database. */
    String create() throws SQLException;

    /** Removes a database that {@link #create} returned. */
    void drop(String url) throws SQLException;

    /** Brings what was loaded to rest: statistics are fresh, and the load's checkpoint is not paid for by the run. */
    void settle(Connection connection) throws SQLException;

    /** Returns the version, and the settings that matter for durability and speed. */
    Map<String, String> settings(Connection connection) throws SQLException;

    @Override
    void close() throws SQLException;
}
