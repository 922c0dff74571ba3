package dev.duetime.engine.settle;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.Settlement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The size of outcomes: that of the payloads and errors that they write. Stateless. */
public final class OutcomeBytes {
    /** The size of what is written together, unless a single outcome is larger. Drivers hold several copies of it. */
    private static final long MOST_TOGETHER = 1L << 20;

    private OutcomeBytes() {}

    /** Returns about how many bytes an outcome writes. */
    public static long of(Settlement outcome) {
        if (outcome instanceof Settlement.Advanced advanced) {
            return advanced.withPayload()
                    ? StoredTimers.bytes(advanced.next())
                    : bytes(advanced.next().failure());
        }
        if (outcome instanceof Settlement.Ended ended) {
            return bytes(ended.failure());
        }
        return outcome instanceof Settlement.Retried retried ? bytes(retried.failure()) : 0;
    }

    private static long bytes(@Nullable Failure failure) {
        return failure == null ? 0 : failure.error().length();
    }

    /** Returns outcomes in parts that may be written together; in one part if they are small, as nearly always. */
    static List<List<Settlement>> parts(List<Settlement> outcomes) {
        List<List<Settlement>> parts = new ArrayList<>(1);
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < outcomes.size(); i++) {
            long own = of(outcomes.get(i));
            if (bytes + own > MOST_TOGETHER && i > from) {
                parts.add(outcomes.subList(from, i));
                from = i;
                bytes = 0;
            }
            bytes += own;
        }
        parts.add(from == 0 ? outcomes : outcomes.subList(from, outcomes.size()));
        return parts;
    }
}
