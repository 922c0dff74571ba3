package dev.duetime.engine.operate;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletion of the ended timers of a queue while the database refuses to delete some of them, for example because of
 * a foreign key of the user's. A statement that deletes the oldest ones would always find those first. So this one goes
 * through the queue by key, page by page, and deletes each timer that can be deleted. Used by one thread.
 */
final class PurgeAroundRefused {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeAroundRefused.class);

    /** Bounds memory; further timers are not logged. */
    private static final int MOST_LOGGED = 100;

    private final String queue;
    private final ScheduleStore store;
    private final Set<TimerKey> logged = new HashSet<>();

    /** The key after which the next page begins; null at the beginning. */
    private @Nullable TimerKey after;

    PurgeAroundRefused(String queue, ScheduleStore store) {
        this.queue = queue;
        this.store = store;
    }

    /**
     * Deletes the timers of the next page that can be deleted.
     *
     * @return whether there are more pages; else the next call begins anew
     * @throws dev.duetime.StoreException if the store failed
     */
    boolean deletePage(Instant endedBefore, int size) {
        TimerQuery all = TimerQuery.all().queue(queue).limit(size);
        TimerVersion.Page page = store.admin().versions(after == null ? all : all.after(after), endedBefore);
        List<TimerVersion> ended = page.timers().stream()
                .filter(each -> each.state() != TimerState.SCHEDULED && each.state() != TimerState.DEAD)
                .toList();
        // Also if not one of this page can be deleted: the next pages may hold others.
        after = page.next();
        RowsApart<TimerVersion> rows = new RowsApart<>(store.admin().brief()::delete);
        try {
            rows.write(ended);
        } catch (DoubtfulException e) {
            LOG.debug("none of {} ended timers of queue {} can be deleted: {}", ended.size(), queue, ErrorText.of(e));
        }
        rows.refused().forEach(each -> log(each.key(), Objects.requireNonNull(rows.first())));
        return after != null;
    }

    private void log(TimerKey key, RuntimeException reason) {
        if (logged.size() < MOST_LOGGED && logged.add(key)) {
            LOG.warn(
                    "timer {} of queue {} has ended and cannot be deleted; retrying later, the others are deleted: {}",
                    key,
                    queue,
                    ErrorText.of(reason));
        }
    }
}
