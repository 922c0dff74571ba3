package dev.duetime.lab.chaos.server;

/** A kind of database, with the statements that differ. */
public enum Product {
    POSTGRES {
        @Override
        public String create(String name) {
            return "CREATE SCHEMA " + name;
        }

        @Override
        public String drop(String name) {
            return "DROP SCHEMA " + name + " CASCADE";
        }

        @Override
        public String in(String url, String name) {
            return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name + "&ApplicationName=" + name;
        }

        @Override
        public String backends() {
            return "SELECT pid FROM pg_stat_activity WHERE application_name = ? AND pid <> pg_backend_pid()";
        }

        @Override
        public String terminate(long backend) {
            return "SELECT pg_terminate_backend(" + backend + ")";
        }
    },

    /** MariaDB or MySQL. */
    MARIADB {
        @Override
        public String create(String name) {
            return "CREATE DATABASE " + name;
        }

        @Override
        public String drop(String name) {
            return "DROP DATABASE " + name;
        }

        @Override
        public String in(String url, String name) {
            return url.replaceFirst("^(jdbc:\\w+://[^/]+/)[^?]*", "$1" + name);
        }

        @Override
        public String backends() {
            return "SELECT id FROM information_schema.processlist WHERE db = ? AND id <> connection_id()";
        }

        @Override
        public String terminate(long backend) {
            return "KILL " + backend;
        }
    };

    /** Creates the part of the database that the trial uses alone. */
    public abstract String create(String name);

    public abstract String drop(String name);

    /** Returns the URL of that part. */
    public abstract String in(String url, String name);

    /** Returns the query for the server's processes that serve the trial. */
    public abstract String backends();

    public abstract String terminate(long backend);

    /**
     * Returns the product that a JDBC URL names.
     *
     * @throws IllegalArgumentException if it names none
     */
    public static Product of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return POSTGRES;
        }
        if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
            return MARIADB;
        }
        throw new IllegalArgumentException("--url must begin with jdbc:postgresql:, jdbc:mariadb: or jdbc:mysql:");
    }
}
