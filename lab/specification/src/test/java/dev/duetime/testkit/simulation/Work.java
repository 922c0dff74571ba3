package dev.duetime.testkit.simulation;

import dev.duetime.StoredTimer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The payload of a todo of the simulation: a text, which is cheap to encode.
 *
 * @param ids the todos of which it is made
 * @param path the steps that are done
 */
record Work(List<String> ids, List<String> path) {
    static final String CHAIN = "chain";
    static final String LIKE = "like";

    /** The steps of a chain, in order. A like has the first one only. */
    static final List<String> STEPS = List.of("start", "two", "three");

    static Work of(String id) {
        return new Work(List.of(id), List.of());
    }

    static Work of(StoredTimer todo) {
        String[] parts = todo.content().payload().as(String.class).split(";", -1);
        return new Work(list(parts[0]), list(parts[1]));
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    }

    Work after(String step) {
        List<String> longer = new ArrayList<>(path);
        longer.add(step);
        return new Work(ids, longer);
    }

    Work with(Work other) {
        List<String> both = new ArrayList<>(ids);
        both.addAll(other.ids);
        return new Work(both, path);
    }

    String text() {
        return String.join(",", ids) + ";" + String.join(",", path);
    }
}
