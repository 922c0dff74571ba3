package dev.duetime.lab.chaos.server;

/** The database server that all nodes share. */
public interface Server extends AutoCloseable {

    /** Returns the JDBC URL, with user and password. */
    String url();

    /** Returns whether it may be restarted. */
    boolean isRestartable();

    /** Ends all processes of the server at once, as a crash does. */
    void crash();

    /** Starts it again, and returns when it answers. */
    void revive();

    @Override
    void close();
}
