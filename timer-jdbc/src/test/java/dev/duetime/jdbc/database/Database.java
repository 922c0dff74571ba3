package dev.duetime.jdbc.database;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The databases that tests run on. */
public enum Database {
    H2("ALTER TABLE timer_schedules ALTER COLUMN headers SET DATA TYPE VARCHAR(2)"),
    SQLITE("CREATE TRIGGER refused BEFORE INSERT ON timer_schedules WHEN new.headers IS NOT NULL"
            + " BEGIN SELECT RAISE(ABORT, 'refused'); END"),
    POSTGRESQL("ALTER TABLE timer_schedules ADD CONSTRAINT refused CHECK (headers IS NULL)"),
    MARIADB("ALTER TABLE timer_schedules MODIFY headers INT"),
    MYSQL("ALTER TABLE timer_schedules MODIFY headers INT");

    private final String refusingHeaders;

    Database(String refusingHeaders) {
        this.refusingHeaders = refusingHeaders;
    }

    /** Returns the kind of database that a URL names. */
    public static Database of(String url) {
        return Stream.of(values())
                .filter(kind -> url.startsWith("jdbc:" + kind.name().toLowerCase(Locale.ROOT) + ":"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "URL must begin with jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql:, jdbc:h2: or jdbc:sqlite: but"
                                + " began with "
                                + url.replaceFirst("^([^:]*:[^:]*:).*", "$1")));
    }

    /** Returns a statement that makes the database refuse timers with headers, and quote them if it ever does. */
    public String refusingHeaders() {
        return refusingHeaders;
    }

    /** Returns a statement that makes the database refuse to end a timer. */
    public String refusingToEnd(String timerId) {
        String refused = "new.state <> 'SCHEDULED' AND new.timer_id = '" + timerId + "'";
        return switch (this) {
            case SQLITE ->
                "CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules WHEN " + refused
                        + " BEGIN SELECT RAISE(ABORT, 'refused'); END";
            // Versions before 8.0.16 do not check a CHECK.
            case MYSQL ->
                "CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules FOR EACH ROW IF " + refused
                        + " THEN SIGNAL SQLSTATE '23000' SET MESSAGE_TEXT = 'refused'; END IF";
            default ->
                "ALTER TABLE timer_schedules ADD CONSTRAINT kept CHECK (state = 'SCHEDULED' OR timer_id <> '" + timerId
                        + "')";
        };
    }

    /** Returns a text of these bytes, which need not be UTF-8; MySQL and SQLite store such texts. */
    public String textOf(String hexadecimal) {
        return this == SQLITE ? "CAST(x'" + hexadecimal + "' AS TEXT)" : "x'" + hexadecimal + "'";
    }

    /** Returns a statement that makes the database refuse to note that a todo is running. */
    public String refusingToStart(String timerId) {
        return refusing(timerId, "started_at IS NOT NULL");
    }

    /** Returns a statement that makes the database refuse all that the engine writes to a timer that it delivers. */
    public String refusingToWrite(String timerId) {
        return refusing(timerId, "started_at IS NOT NULL", "error IS NOT NULL", "wake_at IS NULL", "wake_at > due_at");
    }

    /**
     * Returns statements that make the database refuse to end a timer, with a code that no standard knows: that of a
     * trigger of the user's, or of its mistake.
     */
    public List<String> refusingToEndByACodeOfItsOwn(String timerId) {
        String refused = "new.state <> 'SCHEDULED' AND new.timer_id = '" + timerId + "'";
        return switch (this) {
            case SQLITE ->
                List.of("CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules WHEN " + refused
                        + " BEGIN SELECT json_extract('no json', '$.a'); END");
            case POSTGRESQL ->
                List.of(
                        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + refused
                                + " THEN RAISE EXCEPTION 'secret' USING ERRCODE = 'U0001'; END IF; RETURN new; END $$",
                        "CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules FOR EACH ROW EXECUTE FUNCTION refuse()");
            case MARIADB, MYSQL ->
                List.of("CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules FOR EACH ROW IF " + refused
                        + " THEN SIGNAL SQLSTATE '77001' SET MESSAGE_TEXT = 'secret'; END IF");
            case H2 -> throw new UnsupportedOperationException("its triggers are classes");
        };
    }

    /** Returns statements that make the database refuse to delete rows by such a code: those whose ids begin so. */
    public List<String> refusingToDeleteByACodeOfItsOwn(String table, String id, String start) {
        String refused = "old." + id + " LIKE '" + start + "%'";
        String trigger = "CREATE TRIGGER kept BEFORE DELETE ON " + table;
        return switch (this) {
            case SQLITE -> List.of(trigger + " WHEN " + refused + " BEGIN SELECT json_extract('no json', '$.a'); END");
            case POSTGRESQL ->
                List.of(
                        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + refused
                                + " THEN RAISE EXCEPTION 'secret' USING ERRCODE = 'U0001'; END IF; RETURN old; END $$",
                        trigger + " FOR EACH ROW EXECUTE FUNCTION refuse()");
            case MARIADB, MYSQL ->
                List.of(trigger + " FOR EACH ROW IF " + refused
                        + " THEN SIGNAL SQLSTATE '77001' SET MESSAGE_TEXT = 'secret'; END IF");
            case H2 -> throw new UnsupportedOperationException("its triggers are classes");
        };
    }

    /** Returns the statement that undoes {@link #refusingToEndByACodeOfItsOwn}. */
    public String refusingByACodeNoMore() {
        return "DROP TRIGGER kept" + (this == POSTGRESQL ? " ON timer_schedules" : "");
    }

    private String refusing(String timerId, String... changes) {
        String ofRow = "timer_id = '" + timerId + "' AND (" + String.join(" OR ", changes) + ")";
        String ofNew = "new.timer_id = '" + timerId + "' AND (new."
                + String.join(" OR new.", changes).replace("> due_at", "> new.due_at") + ")";
        return switch (this) {
            case SQLITE ->
                "CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules WHEN " + ofNew
                        + " BEGIN SELECT RAISE(ABORT, 'refused'); END";
            case MYSQL ->
                "CREATE TRIGGER kept BEFORE UPDATE ON timer_schedules FOR EACH ROW IF " + ofNew
                        + " THEN SIGNAL SQLSTATE '23000' SET MESSAGE_TEXT = 'refused'; END IF";
            default -> "ALTER TABLE timer_schedules ADD CONSTRAINT kept CHECK (NOT COALESCE(" + ofRow + ", FALSE))";
        };
    }

    /** Returns statements that make the database refuse to delete an item of a to-do list, which must be there. */
    public String refusingToRemove(String itemId) {
        return switch (this) {
            case H2, POSTGRESQL ->
                "CREATE TABLE refers AS SELECT list, item_id FROM timer_todo_items WHERE item_id = '" + itemId
                        + "'; ALTER TABLE refers ADD FOREIGN KEY (list, item_id)"
                        + " REFERENCES timer_todo_items (list, item_id)";
            case SQLITE ->
                "CREATE TRIGGER unremoved BEFORE DELETE ON timer_todo_items WHEN old.item_id = '" + itemId
                        + "' BEGIN SELECT RAISE(ABORT, 'refused'); END";
            case MARIADB, MYSQL ->
                "CREATE TRIGGER unremoved BEFORE DELETE ON timer_todo_items FOR EACH ROW IF old.item_id = '" + itemId
                        + "' THEN SIGNAL SQLSTATE '23000' SET MESSAGE_TEXT = 'refused'; END IF";
        };
    }

    /** Returns statements that make the database refuse to delete a timer, which must be there. */
    public String refusingToDelete(String timerId) {
        return switch (this) {
            case H2 ->
                "CREATE TABLE refers AS SELECT tenant_id, timer_id, scope FROM timer_schedules WHERE timer_id = '"
                        + timerId
                        + "'; ALTER TABLE refers ADD FOREIGN KEY (tenant_id, timer_id, scope)"
                        + " REFERENCES timer_schedules (tenant_id, timer_id, scope)";
            case SQLITE ->
                "CREATE TRIGGER undeleted BEFORE DELETE ON timer_schedules WHEN old.timer_id = '" + timerId
                        + "' BEGIN SELECT RAISE(ABORT, 'refused'); END";
            case POSTGRESQL ->
                "CREATE TABLE refers AS SELECT tenant_id, timer_id, scope FROM timer_schedules WHERE timer_id = '"
                        + timerId
                        + "'; ALTER TABLE refers ADD FOREIGN KEY (tenant_id, timer_id, scope)"
                        + " REFERENCES timer_schedules (tenant_id, timer_id, scope)";
            case MARIADB, MYSQL ->
                "CREATE TRIGGER undeleted BEFORE DELETE ON timer_schedules FOR EACH ROW IF old.timer_id = '" + timerId
                        + "' THEN SIGNAL SQLSTATE '23000' SET MESSAGE_TEXT = 'refused'; END IF";
        };
    }

    /** Returns a statement that makes the database refuse to store a timer. */
    public String refusingToStore(String timerId) {
        return switch (this) {
            case SQLITE ->
                "CREATE TRIGGER unstored BEFORE INSERT ON timer_schedules WHEN new.timer_id = '" + timerId
                        + "' BEGIN SELECT RAISE(ABORT, 'refused'); END";
            case MYSQL ->
                "CREATE TRIGGER unstored BEFORE INSERT ON timer_schedules FOR EACH ROW IF new.timer_id = '" + timerId
                        + "' THEN SIGNAL SQLSTATE '23000' SET MESSAGE_TEXT = 'refused'; END IF";
            default -> "ALTER TABLE timer_schedules ADD CONSTRAINT unstored CHECK (timer_id <> '" + timerId + "')";
        };
    }

    /** Returns a statement that undoes one that makes the database refuse to change a timer. */
    public String refusingNoMore() {
        return this == SQLITE || this == MYSQL
                ? "DROP TRIGGER kept"
                : "ALTER TABLE timer_schedules DROP CONSTRAINT kept";
    }

    /** Begins to use databases of this kind; skips the test where there is no server. */
    public FreshDatabases open() {
        return switch (this) {
            case H2 -> new H2Databases();
            case SQLITE -> new SqliteDatabases();
            case POSTGRESQL -> new PostgresDatabases();
            case MARIADB -> new MariaDbDatabases();
            case MYSQL -> new MySqlDatabases();
        };
    }

    /** Begins to use databases of this kind beside one that a URL names. */
    public FreshDatabases beside(String url) {
        return switch (this) {
            case H2, SQLITE -> new FileDatabases(url);
            case POSTGRESQL -> new PostgresDatabases(url);
            case MARIADB -> new MariaDbDatabases(url);
            case MYSQL -> new MySqlDatabases(url);
        };
    }
}
