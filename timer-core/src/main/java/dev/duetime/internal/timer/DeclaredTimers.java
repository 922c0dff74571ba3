package dev.duetime.internal.timer;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The recurring timers that nodes declare when they start, as they are stored. */
public final class DeclaredTimers {
    /** The tenant of all of them. */
    public static final String TENANT = "duetime";

    private static final int PAGE = 1_000;

    private DeclaredTimers() {}

    /** Returns whether the key is one of those that nodes declare, of whatever version. */
    public static boolean isOne(TimerKey key) {
        return key.tenantId().equals(TENANT);
    }

    /** Returns those of a queue that are scheduled, page by page: at least one read. */
    public static Map<TimerKey, StoredTimer> scheduled(String queue, Function<TimerQuery, List<StoredTimer>> store) {
        Map<TimerKey, StoredTimer> scheduled = new HashMap<>();
        TimerQuery query = TimerQuery.all()
                .tenantId(TENANT)
                .queue(queue)
                .state(TimerState.SCHEDULED)
                .limit(PAGE)
                .allowScan(); // However many timers others have stored for this tenant.
        List<StoredTimer> page = store.apply(query);
        while (true) {
            page.forEach(timer -> scheduled.put(timer.key(), timer));
            if (page.size() < PAGE) {
                return scheduled;
            }
            page = store.apply(query.after(page.get(page.size() - 1).key()));
        }
    }
}
