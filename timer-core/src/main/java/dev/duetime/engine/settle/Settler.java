package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.settle.OutcomeWriter.Written;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settler of a queue: it writes outcomes, and keeps those that the store did not take. A delivered envelope is
 * settled later, not published again. An outcome that cannot be written now is set aside. Used by the loop's thread,
 * except {@link #close}.
 */
public final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private final OutcomeWriter writer;
    private final InFlight inFlight;
    private final String queue;
    private final Listeners listeners;
    private final Clock clock;
    private final BackgroundTask<Written> background;
    private final SetAside aside;
    private final List<Settlement> open = new ArrayList<>();

    public Settler(OutcomeWriter writer, InFlight inFlight, String queue, Listeners listeners, Clock clock) {
        this.writer = writer;
        this.inFlight = inFlight;
        this.queue = queue;
        this.listeners = listeners;
        this.clock = clock;
        aside = new SetAside(queue, inFlight);
        background = new BackgroundTask<>(clock, "duetime-" + queue + "-settler");
    }

    /** Adds an outcome to be written by the next {@link #flush}. */
    public void add(Settlement outcome) {
        open.add(outcome);
    }

    /** Adds outcomes to be written by the next {@link #flush}. */
    public void addAll(List<Settlement> outcomes) {
        open.addAll(outcomes);
    }

    /** Returns whether all outcomes are written or set aside. */
    public boolean isEmpty() {
        return open.isEmpty();
    }

    /** Names all timers whose outcome is not written. */
    public void keep(InFlight.Keep keep) {
        open.forEach(each -> keep.keep(each.key(), each.generation()));
        aside.keep(keep);
    }

    /** Returns the outcomes that cannot be written yet. */
    public SetAside aside() {
        return aside;
    }

    /**
     * Begins to write open outcomes in the background. {@link #flush} must be called before the next outcome is added.
     */
    public void begin() {
        List<Settlement> outcomes = List.copyOf(open);
        background.begin(() -> {
            LogContext context = LogContext.of(queue);
            try {
                return writer.write(outcomes);
            } finally {
                context.close();
            }
        });
    }

    /** Returns whether outcomes are being written in the background and {@link #flush} has not yet taken the result. */
    public boolean isUnderWay() {
        return background.isUnderWay();
    }

    /**
     * Waits for the write in the background, and then writes the open outcomes. If the write in the background failed,
     * they are written again. After a failure all of them stay open.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    public void flush() {
        if (background.isUnderWay()) {
            try {
                settled(background.await());
            } catch (StoreException e) {
                if (background.isUnderWay()) {
                    throw e;
                }
                LOG.debug("outcomes of queue {} are written again: {}", queue, ErrorText.of(e));
            }
        }
        if (!open.isEmpty()) {
            settled(writer.write(List.copyOf(open)));
        }
        again(aside.due(clock.nanoTime()), false);
    }

    /** Retries all outcomes that were set aside, however recently. */
    public void flushAside() {
        again(aside.all(), true);
    }

    private void again(List<Settlement> outcomes, boolean last) {
        if (!outcomes.isEmpty()) {
            long began = clock.nanoTime();
            Written written = writer.writeUnlocked(outcomes, last);
            settled(outcomes, written);
            aside.retried(written.left().size(), began, clock.nanoTime());
        }
    }

    private void settled(Written written) {
        settled(open, written);
        open.clear();
    }

    private void settled(List<Settlement> outcomes, Written written) {
        List<Settlement> over = outcomes;
        if (!written.left().isEmpty()) {
            Set<TimerKey> left =
                    written.left().stream().map(each -> each.outcome().key()).collect(Collectors.toSet());
            over = outcomes.stream().filter(each -> !left.contains(each.key())).toList();
            aside.add(written.left(), clock.nanoTime());
        }
        int overtaken = over.size() - written.count();
        inFlight.settled(over);
        if (aside.size() > 0) {
            over.forEach(aside::remove);
        }
        if (overtaken > 0) {
            listeners.overtaken(queue, overtaken);
        }
    }

    /**
     * Ends the background thread. Waits for its write, at most for the given time. Called by any thread.
     *
     * @return whether the thread has ended
     */
    public boolean close(Duration limit) {
        return background.close(limit);
    }
}
