package dev.duetime.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One statement from a file. A fragment of it may be marked to be repeated. The marks are comments, so that the file
 * can be run unchanged:
 *
 * <pre>
 * SELECT … WHERE (a, b) IN (
 *     -- each a, b, joined by ,
 *     (:a, :b)
 *     -- end
 * )
 * </pre>
 *
 * <p>Repeated twice, that is {@code (:a0, :b0) , (:a1, :b1)}. Comments are removed, except for the name: by it, an
 * operator finds the statement in the statistics of the database.
 *
 * @param before what precedes the fragment; all of it if there is none
 * @param fragment what is repeated; empty if there is none
 * @param parameters the ones that are numbered
 * @param separator what joins the repetitions
 * @param after what follows the fragment
 */
record SqlFile(String before, String fragment, List<String> parameters, String separator, String after) {
    private static final Pattern EACH = Pattern.compile("-- each (.+), joined by (.+)");
    private static final String END = "-- end";

    /** Reads a file with all of its optional conditions. */
    static SqlFile parse(String name, String text) {
        return parse(name, text, condition -> true);
    }

    /** Reads a file without the {@linkplain MarkedConditions conditions} that were not requested. */
    static SqlFile parse(String name, String text, Predicate<String> asked) {
        List<StringBuilder> parts = new ArrayList<>(List.of(new StringBuilder("/* duetime " + name + " */")));
        List<String> parameters = List.of();
        String separator = "";
        for (String line :
                MarkedConditions.keep(text, asked).lines().map(String::strip).toList()) {
            Matcher each = EACH.matcher(line);
            if (each.matches()) {
                parameters = List.of(each.group(1).split(", "));
                separator = " " + each.group(2) + " ";
                parts.add(new StringBuilder());
            } else if (line.equals(END)) {
                parts.add(new StringBuilder());
            } else if (!line.startsWith("--") && !line.isEmpty()) {
                StringBuilder part = parts.get(parts.size() - 1);
                part.append(part.isEmpty() ? "" : " ").append(line);
            }
        }
        return switch (parts.size()) {
            case 1 -> new SqlFile(parts.get(0).toString(), "", parameters, separator, "");
            case 3 ->
                new SqlFile(
                        parts.get(0).toString(),
                        parts.get(1).toString(),
                        parameters,
                        separator,
                        parts.get(2).toString());
            default -> throw new IllegalArgumentException("statement " + name + " must mark one fragment or none");
        };
    }

    String once() {
        return fragment.isEmpty() ? before : before + " " + fragment + " " + after;
    }

    String repeated(int times) {
        return IntStream.range(0, times)
                .mapToObj(this::numbered)
                .collect(Collectors.joining(separator, before + " ", " " + after));
    }

    private String numbered(int number) {
        String numbered = fragment;
        for (String parameter : parameters) {
            numbered = numbered.replaceAll(":" + parameter + "\\b", ":" + parameter + number);
        }
        return numbered;
    }
}
