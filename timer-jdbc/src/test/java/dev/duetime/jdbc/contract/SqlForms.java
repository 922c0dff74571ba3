package dev.duetime.jdbc.contract;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The forms of SQL that distributed PostgreSQL (Citus) refuses, or accepts and runs wrongly, and that a single server
 * runs. They are found in the text of a statement, so a few more are refused here than there.
 */
enum SqlForms {
    CLOCK_IN_WRITE(
            "times are bound: a function of the clock differs from server to server, and is refused in DO UPDATE",
            "\\b(insert|update|delete|merge)\\b.*\\b(now\\s*\\(|(clock|statement|transaction)_timestamp\\b|current_(time|date)"
                    + "|localtime)"),
    FUNCTION_IN_DO_UPDATE(
            "DO UPDATE takes columns, excluded and constants: functions there must be IMMUTABLE",
            "\\bdo update\\b.*\\b(?!in\\b|and\\b|or\\b|not\\b|set\\b|when\\b|then\\b|else\\b|where\\b|from\\b|cast\\b|coalesce\\b"
                    + "|nullif\\b)[a-z_]+\\s*\\((?!.*\\bdo update\\b)"),
    BIND_IN_DO_UPDATE(
            "a parameter in DO UPDATE is refused where the rows come from a SELECT: pass it through excluded",
            "\\bdo update\\b.*:[a-z]"),
    SUBQUERY_IN_DO_UPDATE("a subquery is not allowed in DO UPDATE", "\\bdo update\\b.*\\bselect\\b"),
    SIMPLE_CASE_IN_DO_UPDATE(
            "below several rows of VALUES, CASE x WHEN y is sent on as CASE x WHEN x = y and fails: write CASE WHEN x = y",
            "\\bdo update\\b.*\\bcase\\s+(?!when\\b)"),
    LATERAL("LATERAL over unnest or VALUES is refused: UNION ALL of a part each, or = ANY", "\\blateral\\b"),
    SKIP_LOCKED(
            "rows of several servers cannot be locked by one SELECT: leases and generations do without",
            "\\bskip\\s+locked\\b|\\bnowait\\b"),
    LOCK_WITHOUT_TENANT(
            "SELECT … FOR UPDATE runs on one server only: it names one tenant, or one queue, by =",
            "^(?!.*\\bwhere (tenant_id|queue) = ).*\\bfor (no key )?(update|share|key share)\\b"),
    CTID("a ctid is valid on its own server only: purge by key", "\\bctid\\b"),
    TABLE_LOCK(
            "a lock of the whole table, or an advisory one, is no lock on the other servers",
            "\\block table\\b|advisory"),
    MODIFYING_CTE(
            "a WITH that writes is refused across servers",
            "\\bwith\\b.*\\bas\\s*(not\\s+)?(materialized\\s*)?\\(\\s*(insert|update|delete|merge)\\b"),
    RECURSIVE("a recursive WITH runs on one server only", "\\bwith recursive\\b"),
    GROUPING("grouping sets run on one server only", "\\bgrouping sets\\b|\\brollup\\s*\\(|\\bcube\\s*\\("),
    MERGE("MERGE takes few forms there: INSERT … ON CONFLICT", "^merge\\b"),
    TABLESAMPLE("TABLESAMPLE runs on one server only", "\\btablesample\\b"),
    MOVED_ROW(
            "the column that rows are placed by cannot be updated",
            "\\bset\\s+((?!\\bwhere\\b|\\bfrom\\b).)*\\b(tenant_id\\s*=|tenant_id\\s*,)"),
    LISTEN("a notification reaches listeners of the same server only, and locks all commits", "\\b(listen|notify)\\b"),
    TRIGGER("triggers and rules are not supported on distributed tables", "\\bcreate\\b.*\\b(trigger|rule)\\b"),
    UNIQUE_WITHOUT_TENANT(
            "a unique index or constraint must contain the column that rows are placed by",
            "\\bunique\\b(?![^)]*\\b(tenant_id|queue|item_id)\\b)|\\bprimary key\\b(?!\\s*\\([^)]*\\b(tenant_id|queue|item_id)\\b)"),
    SEQUENCE(
            "a sequence that is not a bigint overflows there, and each server has numbers of its own",
            "\\b(small|big)?serial\\b|\\bnextval\\b|\\bgenerated\\b.*\\bas identity\\b"),
    FOREIGN_KEY(
            "a foreign key works only between tables that are distributed alike",
            "\\breferences\\b|\\bexclude using\\b");

    private final String reason;
    private final Pattern form;

    SqlForms(String reason, String form) {
        this.reason = reason;
        this.form = Pattern.compile(form);
    }

    /** Returns why each statement of a file that has a refused form is refused. */
    static List<String> refused(String name, String text) {
        return statements(text)
                .flatMap(statement -> Stream.of(values())
                        .filter(form -> form.form.matcher(statement).find())
                        .map(form -> name + " has " + form + ": " + form.reason))
                .distinct()
                .toList();
    }

    /** Returns statements in lower case, without comments, without what is quoted, on one line each. */
    private static Stream<String> statements(String text) {
        String bare = text.replaceAll("(?m)--.*$", "").replaceAll("'(?:[^']|'')*'", "''");
        return Stream.of(bare.split(";"))
                .map(statement -> statement.replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT))
                .filter(statement -> !statement.isEmpty());
    }
}
