package dev.duetime.store;

import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Splits a batch so that no key occurs twice in one statement (PostgreSQL refuses that) and all statements lock rows in
 * the same order (or two batches deadlock). Most batches are one round; a key that is given n times is in n rounds, so
 * that each of its outcomes is what one call after the other would have said. Thread-safe.
 */
public final class Rounds {
    private static final Comparator<Indexed> BY_KEY = Comparator.comparing(each -> each.timer.key());

    private Rounds() {}

    /**
     * Runs the write once a round, with timers of distinct keys sorted by key.
     *
     * @param write returns one result for each timer it is given, in the same order
     * @return the results in the order of {@code timers}
     */
    public static List<ScheduleResult> write(
            List<NewTimer> timers, Function<List<NewTimer>, List<ScheduleResult>> write) {
        ScheduleResult[] results = new ScheduleResult[timers.size()];
        for (List<Indexed> round : split(timers)) {
            List<ScheduleResult> answers =
                    write.apply(round.stream().map(Indexed::timer).toList());
            for (int i = 0; i < answers.size(); i++) {
                results[round.get(i).index] = answers.get(i);
            }
        }
        return List.of(results);
    }

    private static List<List<Indexed>> split(List<NewTimer> timers) {
        List<Indexed> sorted = new ArrayList<>(timers.size());
        for (int i = 0; i < timers.size(); i++) {
            sorted.add(new Indexed(i, timers.get(i)));
        }
        // Stable: of one key, the first comes first.
        sorted.sort(BY_KEY);
        List<List<Indexed>> rounds = new ArrayList<>();
        TimerKey before = null;
        int round = 0;
        for (Indexed each : sorted) {
            round = each.timer.key().equals(before) ? round + 1 : 0;
            before = each.timer.key();
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(each);
        }
        return rounds;
    }

    private record Indexed(int index, NewTimer timer) {}
}
