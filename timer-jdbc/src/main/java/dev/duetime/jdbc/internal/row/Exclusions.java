package dev.duetime.jdbc.internal.row;

import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.store.DueQuery.Exclusion;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** The timers that {@code due_but.sql} or {@code due_of_keys.sql} excludes, bound to the statement. Thread-safe. */
public enum Exclusions {
    /** As arrays. */
    BY_ARRAYS {
        @Override
        void bind(PreparedStatement statement, int position, Set<String> keys) throws SQLException {
            statement.setArray(position, statement.getConnection().createArrayOf("text", keys.toArray(String[]::new)));
        }
    },

    /** Each set is one text, with a line feed before and after each key: no key contains one. */
    BY_LINES {
        @Override
        void bind(PreparedStatement statement, int position, Set<String> keys) throws SQLException {
            statement.setString(position, "\n" + String.join("\n", keys) + "\n");
        }
    };

    abstract void bind(PreparedStatement statement, int position, Set<String> keys) throws SQLException;

    /** Returns the statement that reads due timers without those that are excluded. */
    public static String statement(Exclusion but) {
        return but.isNothing() ? "due" : but.only().isEmpty() ? "due_but" : "due_of_keys";
    }

    /** Returns whether all timers are excluded, because each of the only keys is excluded too. */
    public static boolean leavesOutAll(Exclusion but) {
        return !but.only().isEmpty() && but.parallelKeys().containsAll(but.only());
    }

    /** Returns a binder of these parameters; all others are bound as given. */
    public DriverStatement.Binder binder(Exclusion but, DriverStatement.Binder others) {
        Set<String> only = new HashSet<>(but.only());
        only.removeAll(but.parallelKeys());
        return (statement, position, parameter) -> {
            switch (parameter.name()) {
                case "parallelKeys" -> bind(statement, position, but.parallelKeys());
                case "only" -> bind(statement, position, only);
                case "types" -> bind(statement, position, but.types());
                case "tenants" -> bind(statement, position, but.tenants());
                case "upTo" -> statement.setInt(position, but.upTo());
                default -> others.bind(statement, position, parameter);
            }
        };
    }
}
