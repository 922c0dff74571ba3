package dev.duetime.jdbc.database;

/** H2 in memory; each database lives until the JVM ends. */
public final class H2Databases implements FreshDatabases {

    @Override
    public String create() {
        return "jdbc:h2:mem:" + FreshDatabases.newName() + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    public void close() {
        // There is nothing to remove.
    }
}
