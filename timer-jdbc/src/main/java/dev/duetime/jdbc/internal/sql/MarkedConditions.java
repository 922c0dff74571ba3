package dev.duetime.jdbc.internal.sql;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conditions of a statement that may be left out. Each stands between two marks, which are comments, so that the
 * file can be run as it is:
 *
 * <pre>
 * WHERE state = 'DEAD'
 *   -- if queue
 *   AND queue = :queue
 *   -- end
 * </pre>
 *
 * <p>A condition that is true if its parameter is NULL would be simpler. But a database makes one plan for all forms
 * of such a statement, and then reads the whole table.
 */
public final class MarkedConditions {
    private static final Pattern IF = Pattern.compile("-- if (\\w+)");
    private static final String END = "-- end";

    private MarkedConditions() {}

    /** Returns the text of a file without its marks, and without the conditions that were not requested. */
    static String keep(String text, Predicate<String> asked) {
        StringBuilder kept = new StringBuilder();
        boolean inside = false;
        boolean keeps = true;
        for (String line : text.lines().toList()) {
            Matcher mark = IF.matcher(line.strip());
            if (mark.matches()) {
                inside = true;
                keeps = asked.test(mark.group(1));
            } else if (inside && line.strip().equals(END)) {
                inside = false;
                keeps = true;
            } else if (keeps) {
                kept.append(line).append('\n');
            }
        }
        return kept.toString();
    }
}
