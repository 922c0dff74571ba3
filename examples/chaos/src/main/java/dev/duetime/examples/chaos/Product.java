package dev.duetime.examples.chaos;

/** Is a kind of database, with the statements that differ. */
enum Product {
    POSTGRES {
        @Override
        String create(String name) {
            return "CREATE SCHEMA " + name;
        }

        @Override
        String drop(String name) {
            return "DROP SCHEMA " + name + " CASCADE";
        }

        @Override
        String in(String url, String name) {
            return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name + "&ApplicationName=" + name;
        }

        @Override
        String backends() {
            return "SELECT pid FROM pg_stat_activity WHERE application_name = ? AND pid <> pg_backend_pid()";
        }

        @Override
        String terminate(long backend) {
            return "SELECT pg_terminate_backend(" + backend + ")";
        }
    },

    MARIADB {
        @Override
        String create(String name) {
            return "CREATE DATABASE " + name;
        }

        @Override
        String drop(String name) {
            return "DROP DATABASE " + name;
        }

        @Override
        String in(String url, String name) {
            return url.replaceFirst("^(jdbc:mariadb://[^/]+/)[^?]*", "$1" + name);
        }

        @Override
        String backends() {
            return "SELECT id FROM information_schema.processlist WHERE db = ? AND id <> connection_id()";
        }

        @Override
        String terminate(long backend) {
            return "KILL " + backend;
        }
    };

    /** Creates the part of the database that the trial uses alone. */
    abstract String create(String name);

    abstract String drop(String name);

    /** Returns the URL of that part. */
    abstract String in(String url, String name);

    /** Returns the query for the server's processes that serve the trial. */
    abstract String backends();

    abstract String terminate(long backend);

    /** @throws IllegalArgumentException if it is neither */
    static Product of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return POSTGRES;
        }
        if (url.startsWith("jdbc:mariadb:")) {
            return MARIADB;
        }
        throw new IllegalArgumentException("--url must begin with jdbc:postgresql: or jdbc:mariadb:");
    }
}
