package dev.duetime.lab.benchmark.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Transactions on PostgreSQL that keep the server from cleaning up rows. Closing it ends them. */
final class Disturbance implements AutoCloseable {
    private static final int READERS = 4;

    /** A reader's transaction lasts for so many seconds. The four overlap. */
    private static final int READ_SECONDS = 8;

    private final List<Connection> connections = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private Disturbance() {}

    /** Changes nothing. */
    static Disturbance none() {
        return new Disturbance();
    }

    /** One transaction that keeps its snapshot. */
    static Disturbance holdsSnapshot(Trial trial) throws SQLException {
        Disturbance disturbance = new Disturbance();
        Statement statement = disturbance.open(trial).createStatement();
        statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
        statement.execute("SELECT count(*) FROM pg_class");
        return disturbance;
    }

    /** One transaction that has written something and does nothing more. It has a transaction id, but no snapshot. */
    static Disturbance isIdle(Trial trial) throws SQLException {
        Disturbance disturbance = new Disturbance();
        Statement statement = disturbance.open(trial).createStatement();
        statement.execute("BEGIN");
        statement.execute("SELECT pg_current_xact_id()");
        return disturbance;
    }

    /** Four readers that count the rows of a table, again and again in long transactions. */
    static Disturbance reads(Trial trial, String table) throws SQLException {
        Disturbance disturbance = new Disturbance();
        for (int reader = 0; reader < READERS; reader++) {
            Connection connection = disturbance.open(trial);
            int wait = reader * READ_SECONDS / READERS;
            Thread thread = new Thread(() -> disturbance.read(connection, table, wait), "reader-" + reader);
            disturbance.threads.add(thread);
            thread.start();
        }
        return disturbance;
    }

    private void read(Connection connection, String table, int waitSeconds) {
        try (Statement statement = connection.createStatement()) {
            pause(waitSeconds);
            while (!closed) {
                statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
                for (int second = 0; second < READ_SECONDS && !closed; second++) {
                    statement.executeQuery("SELECT count(*) FROM " + table).close();
                    pause(1);
                }
                statement.execute("COMMIT");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause(int seconds) throws InterruptedException {
        Thread.sleep(seconds * 1_000L);
    }

    private Connection open(Trial trial) throws SQLException {
        Connection connection = trial.connect();
        connections.add(connection);
        return connection;
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
