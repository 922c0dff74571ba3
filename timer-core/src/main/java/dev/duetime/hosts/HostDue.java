package dev.duetime.hosts;

import dev.duetime.StoredTimer;
import dev.duetime.admin.QueuePause;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The answers of several hosts, put into one. */
final class HostDue {
    private static final Comparator<StoredTimer> OLDEST_FIRST = Comparator.comparing(HostDue::wakeAt);

    private HostDue() {}

    private static Instant wakeAt(StoredTimer timer) {
        return Objects.requireNonNull(timer.wakeAt());
    }

    /** Merges what is due, up to where the first host stops that has more. */
    static DueTimers merge(List<DueTimers> answers, int limit) {
        Instant known = Instant.MAX;
        List<StoredTimer> timers = new ArrayList<>();
        List<DueTimers.Undecodable> undecodable = new ArrayList<>();
        for (DueTimers answer : answers) {
            timers.addAll(answer.timers());
            undecodable.addAll(answer.undecodable());
            if (answer.more() && !answer.timers().isEmpty()) {
                Instant last = wakeAt(answer.timers().get(answer.timers().size() - 1));
                known = last.isBefore(known) ? last : known;
            }
        }
        Instant until = known;
        List<StoredTimer> page = timers.stream()
                .sorted(OLDEST_FIRST)
                .filter(timer -> !wakeAt(timer).isAfter(until))
                .limit(Math.max(0, limit - undecodable.size()))
                .toList();
        List<DueTimers.Undecodable> shown = undecodable.subList(0, Math.min(limit, undecodable.size()));
        boolean more = page.size() < timers.size()
                || shown.size() < undecodable.size()
                || answers.stream().anyMatch(DueTimers::more);
        return new DueTimers(page, List.copyOf(shown), more);
    }

    static NextDue earliest(List<NextDue> answers) {
        Instant wakeAt = answers.stream()
                .map(NextDue::wakeAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        QueuePause pause = answers.stream()
                .map(NextDue::pause)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return new NextDue(wakeAt, pause);
    }

    static Map<Integer, Integer> sum(List<Map<Integer, Integer>> answers, int atMost) {
        Map<Integer, Integer> sums = new TreeMap<>();
        answers.forEach(answer -> answer.forEach(
                (shard, count) -> sums.merge(shard, count, (one, other) -> Math.min(atMost, one + other))));
        return sums;
    }
}
