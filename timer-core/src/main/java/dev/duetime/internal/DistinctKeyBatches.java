package dev.duetime.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * A split of a batch into rounds, so that no key occurs twice in one statement. PostgreSQL refuses a statement that
 * writes one row twice. Each round is sorted by key, so that all statements lock rows in the same order and two batches
 * cannot deadlock. A key that occurs n times is in n rounds. Thread-safe.
 */
public final class DistinctKeyBatches {
    private DistinctKeyBatches() {}

    /**
     * Runs the write once a round.
     *
     * @param key returns the key of an item
     * @param write returns one result for each item it is given, in the same order
     * @return the results in the order of {@code items}
     */
    public static <T, K extends Comparable<? super K>, R> List<R> write(
            List<T> items, Function<T, K> key, Function<List<T>, List<R>> write) {
        List<R> results = new ArrayList<>(items.size());
        items.forEach(each -> results.add(null));
        for (List<Integer> round : split(items, key)) {
            List<R> answers = write.apply(round.stream().map(items::get).toList());
            for (int i = 0; i < answers.size(); i++) {
                results.set(round.get(i), answers.get(i));
            }
        }
        return results;
    }

    /** Returns the items sorted by key; empty if a key occurs twice. */
    public static <T, K extends Comparable<? super K>> List<T> sortedIfDistinct(List<T> items, Function<T, K> key) {
        List<T> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparing(key));
        for (int i = 1; i < sorted.size(); i++) {
            if (key.apply(sorted.get(i)).equals(key.apply(sorted.get(i - 1)))) {
                return List.of();
            }
        }
        return sorted;
    }

    private static <T, K extends Comparable<? super K>> List<List<Integer>> split(List<T> items, Function<T, K> key) {
        List<Integer> sorted = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            sorted.add(i);
        }
        // Stable: of one key, the first comes first.
        sorted.sort(Comparator.comparing((Integer i) -> key.apply(items.get(i))));
        List<List<Integer>> rounds = new ArrayList<>();
        K before = null;
        int round = 0;
        for (Integer index : sorted) {
            K current = key.apply(items.get(index));
            round = current.equals(before) ? round + 1 : 0;
            before = current;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(index);
        }
        return rounds;
    }
}
