package dev.duetime.jdbc.internal.nodes;

import dev.duetime.internal.Micros;
import dev.duetime.store.WakeUp;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text of a hint in a notification: the queue, the due time in microseconds and the shards, a line each. Names of
 * queues have no line breaks. A text of another kind is of another sender, and no hint.
 */
final class HintMessage {
    /** With more shards than this the hint is for all of them: a notification has at most 8,000 bytes. */
    private static final int MOST_SHARDS = 500;

    private static final int LINES = 3;

    private HintMessage() {}

    static String of(WakeUp wakeUp) {
        String shards = wakeUp.shards().size() > MOST_SHARDS
                ? ""
                : wakeUp.shards().stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
        return wakeUp.queue() + '\n' + Micros.toLong(wakeUp.dueAt()) + '\n' + shards;
    }

    static Optional<WakeUp> read(String message) {
        String[] lines = message.split("\n", -1);
        if (lines.length != LINES) {
            return Optional.empty();
        }
        try {
            Set<Integer> shards = lines[2].isEmpty()
                    ? Set.of()
                    : Arrays.stream(lines[2].split(",", -1))
                            .map(Integer::valueOf)
                            .collect(Collectors.toSet());
            return Optional.of(new WakeUp(lines[0], shards, Micros.ofLong(Long.parseLong(lines[1]))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
