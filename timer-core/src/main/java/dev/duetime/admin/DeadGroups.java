package dev.duetime.admin;

import dev.duetime.internal.Times;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dead timers by what they have in common. Immutable and thread-safe.
 *
 * @param groups the groups, the largest one first
 * @param isComplete whether all dead timers were examined; else there may be more groups, and more timers in each
 */
public record DeadGroups(List<DeadGroup> groups, boolean isComplete) {
    private static final Comparator<DeadGroup> LARGEST_FIRST = Comparator.comparingLong(DeadGroup::timers)
            .reversed()
            .thenComparing(DeadGroup::queue)
            .thenComparing(DeadGroup::type)
            .thenComparing(DeadGroup::errorClass);

    /** Copies and sorts the groups. Adds up those of the same queue, type and error class, which were counted apart. */
    public DeadGroups {
        Map<DeadGroup, DeadGroup> sums = new HashMap<>();
        for (DeadGroup group : groups) {
            sums.merge(new DeadGroup(group.queue(), group.type(), group.errorClass(), 0, null), group, DeadGroups::sum);
        }
        groups = sums.values().stream().sorted(LARGEST_FIRST).toList();
    }

    private static DeadGroup sum(DeadGroup one, DeadGroup other) {
        return new DeadGroup(
                one.queue(),
                one.type(),
                one.errorClass(),
                one.timers() + other.timers(),
                Times.latest(one.lastFailedAt(), other.lastFailedAt()));
    }

    /**
     * Dead timers of one queue and type that failed in the same way.
     *
     * @param queue their queue
     * @param type their type
     * @param errorClass the class of their last failure
     * @param timers how many, at least 1
     * @param lastFailedAt when the latest of them failed; null if that is not known
     */
    public record DeadGroup(
            String queue,
            String type,
            String errorClass,
            long timers,
            @Nullable Instant lastFailedAt) {}
}
