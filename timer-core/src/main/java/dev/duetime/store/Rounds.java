package dev.duetime.store;

import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            round.sort(BY_KEY);
            List<ScheduleResult> answers =
                    write.apply(round.stream().map(Indexed::timer).toList());
            for (int i = 0; i < answers.size(); i++) {
                results[round.get(i).index] = answers.get(i);
            }
        }
        return List.of(results);
    }

    private static List<List<Indexed>> split(List<NewTimer> timers) {
        List<List<Indexed>> rounds = new ArrayList<>();
        Map<TimerKey, Integer> seen = new HashMap<>();
        for (int i = 0; i < timers.size(); i++) {
            int round = seen.merge(timers.get(i).key(), 1, Integer::sum) - 1;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(new Indexed(i, timers.get(i)));
        }
        return rounds;
    }

    private record Indexed(int index, NewTimer timer) {}
}
