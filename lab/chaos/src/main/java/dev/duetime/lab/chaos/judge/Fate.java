package dev.duetime.lab.chaos.judge;

import dev.duetime.lab.chaos.log.Entry.Answered;
import dev.duetime.lab.chaos.log.Entry.Kind;
import dev.duetime.lab.chaos.log.History.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The expected outcome for one key. It follows the calls for the key and decides which of its schedules had to be
 * delivered. A call whose answer was lost may or may not have been done, so nothing that depends on it is claimed.
 */
final class Fate {
    private static final int NONE = 0;

    /** For each set at least one of its schedules must be delivered. */
    final List<Set<Integer>> required = new ArrayList<>();
    /** Envelopes that the store reported as reached, so they must have been delivered. */
    final List<String> reached = new ArrayList<>();
    /** When schedules were rescheduled or cancelled, by their number. */
    final Map<Integer, Long> superseded = new HashMap<>();
    /** The envelope ids of accepted schedules, by their number. */
    final Map<Integer, String> ids = new HashMap<>();

    int rescheduled;
    int cancelled;
    int ambiguous;
    private int standing = NONE;

    private Fate() {}

    static Fate of(List<Operation> operations) {
        Fate fate = new Fate();
        operations.forEach(fate::follow);
        fate.require(fate.standing);
        return fate;
    }

    private void follow(Operation operation) {
        int number = operation.asked().op();
        Answered answer = operation.answer();
        boolean schedule = operation.asked().kind() == Kind.SCHEDULE;
        if (answer == null) {
            ambiguous++;
            if (schedule && standing != NONE) {
                required.add(Set.of(standing, number));
            }
            standing = NONE;
            return;
        }
        switch (answer.outcome()) {
            case "CREATED", "RESCHEDULED", "UNCHANGED" -> accept(number, answer);
            case "IGNORED" -> ignore(answer);
            case "CANCELLED" -> {
                cancelled++;
                supersede(answer.at());
                standing = NONE;
            }
            case "TOO_LATE" -> {
                if (answer.tries() > 1) {
                    // An attempt whose reply was lost may have cancelled it.
                    ambiguous++;
                    standing = NONE;
                }
            }
            case "NOT_FOUND" -> {}
            default -> throw new IllegalArgumentException("unknown outcome: " + answer);
        }
    }

    private void accept(int number, Answered answer) {
        if (standing != NONE) {
            rescheduled++;
        }
        supersede(answer.at());
        ids.put(number, answer.id());
        standing = number;
    }

    /** The current schedule has been reached: the one before, or this one by a try whose reply was lost. */
    private void ignore(Answered answer) {
        reached.add(answer.id());
        if (answer.tries() > 1) {
            ambiguous++;
            standing = NONE;
        }
    }

    private void supersede(long at) {
        if (standing != NONE) {
            superseded.put(standing, at);
        }
    }

    private void require(int number) {
        if (number != NONE) {
            required.add(Set.of(number));
        }
    }
}
