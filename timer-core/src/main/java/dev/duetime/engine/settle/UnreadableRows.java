package dev.duetime.engine.settle;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settle.OutcomeWriter.Left;
import dev.duetime.internal.Printable;
import dev.duetime.listener.DeadTimer;
import dev.duetime.store.DueTimers.Undecodable;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The due rows that cannot be read. All of a read are ended as dead together, so that a backlog of them does not hold
 * up timers. If that fails, each is ended by its own statement, so that a row that the database refuses to change does
 * not delay the others. Refused rows and rows without a key stay due. They are logged once, and each later read is
 * larger by their number. Used by one thread.
 *
 * <p>A statement may wait for a row that another transaction holds, and the timers of the same read wait with it. So
 * after one such row the others are left for some seconds. The row that was tried longest ago is the next one.
 */
public final class UnreadableRows {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableRows.class);
    private static final Duration UNTIL_TRIED_AGAIN = Duration.ofMinutes(1);
    /** Longer than any wait for a row, so that most of the time is left for timers. */
    private static final Duration AFTER_HELD = Duration.ofSeconds(5);
    /** How many are tried alone between two deliveries, and how many of these in vain. */
    private static final int MOST_ALONE = 100;

    private static final int MOST_IN_VAIN = 20;
    /** Bounds memory: beyond it only the rows of the last read are known. */
    private static final int MOST_REMEMBERED = 10_000;

    private final OutcomeWriter writer;
    private final String queue;
    private final Listeners listeners;
    private final Map<Undecodable, Instant> triedAgainAt = new HashMap<>();
    /** Whether another transaction held the row that was tried last. Then the next one is not waited for. */
    private boolean isHeld;

    private Instant resumesAt = Instant.MIN;
    private int staying;
    private boolean hasLeft;

    /** How many rows of the last read were tried alone, and how many of these in vain. */
    private int tried;

    private int inVain;

    public UnreadableRows(OutcomeWriter writer, String queue, Listeners listeners) {
        this.writer = writer;
        this.queue = queue;
        this.listeners = listeners;
    }

    /** Returns how many rows of the last read stay due. */
    public int staying() {
        return staying;
    }

    /** Returns whether rows of the last read were not tried: the next read returns them again. */
    public boolean hasLeft() {
        return hasLeft;
    }

    /** Ends the rows of a read that can be ended. */
    public void end(List<Undecodable> read, Instant now) {
        end(read, now, Integer.MAX_VALUE, () -> true);
    }

    /**
     * Ends rows of a read that can be ended.
     *
     * @param atOnce how many to end together, at most
     * @param goesOn whether to go on after so many
     * @return whether some were ended
     */
    public boolean end(List<Undecodable> read, Instant now, int atOnce, BooleanSupplier goesOn) {
        if (triedAgainAt.size() > MOST_REMEMBERED) {
            triedAgainAt.keySet().retainAll(Set.copyOf(read));
        }
        List<Undecodable> due = read.stream()
                .filter(row -> !isBefore(triesAt(row), UNTIL_TRIED_AGAIN, now))
                .sorted(Comparator.comparing(this::triesAt))
                .toList();
        staying = read.size() - due.size();
        tried = 0;
        inVain = 0;
        boolean hasEnded = false;
        int from = 0;
        do {
            int to = from + Math.min(atOnce, due.size() - from);
            hasEnded |= endPart(due.subList(from, to), now);
            from = to;
            // The rows of a pause cost nothing, and reading them again at once would bring nothing.
        } while (from < due.size() && (isBefore(resumesAt, AFTER_HELD, now) || goesOn.getAsBoolean()));
        hasLeft = from < due.size();
        return hasEnded;
    }

    /** Returns whether some of these rows were ended. */
    private boolean endPart(List<Undecodable> due, Instant now) {
        if (!isBefore(resumesAt, AFTER_HELD, now) && tryToEndAll(due, now)) {
            return true;
        }
        boolean hasEnded = false;
        for (Undecodable row : due) {
            if (tried == MOST_ALONE || inVain == MOST_IN_VAIN || isBefore(resumesAt, AFTER_HELD, now)) {
                staying++;
                continue;
            }
            tried++;
            if (tryToEnd(row, now)) {
                hasEnded = true;
            } else {
                inVain++;
                staying++;
            }
        }
        return hasEnded;
    }

    /** Returns whether a pause is not over. If the clock has been set back since, it is. */
    private static boolean isBefore(Instant end, Duration pause, Instant now) {
        return now.isBefore(end) && !now.plus(pause).isBefore(end);
    }

    private Instant triesAt(Undecodable row) {
        return triedAgainAt.getOrDefault(row, Instant.MIN);
    }

    private boolean tryToEndAll(List<Undecodable> rows, Instant now) {
        if (rows.size() <= 1 || isHeld || rows.stream().anyMatch(row -> row.key() == null)) {
            return false;
        }
        List<Settlement> dead = rows.stream()
                .map(row -> dead(row, Objects.requireNonNull(row.key()), now))
                .toList();
        try {
            if (!writer.writesAll(dead)) {
                return false;
            }
        } catch (LockedException e) {
            isHeld = true;
            return false;
        }
        rows.forEach(row -> ended(row, now));
        return true;
    }

    private void ended(Undecodable row, Instant now) {
        triedAgainAt.remove(row);
        Failure failure = new Failure(row.reason(), now, now);
        listeners.dead(new DeadTimer(Objects.requireNonNull(row.key()), queue, null, row.attempt(), failure));
    }

    private boolean tryToEnd(Undecodable row, Instant now) {
        boolean first = triedAgainAt.put(row, now.plus(UNTIL_TRIED_AGAIN)) == null;
        TimerKey key = row.key();
        if (key == null) {
            if (first) {
                LOG.error("a row of queue {} has no valid key and is skipped: {}", queue, Printable.line(row.reason()));
            }
            return false;
        }
        OutcomeWriter.Written written;
        try {
            List<Settlement> dead = List.of(dead(row, key, now));
            written = isHeld ? writer.writeUnlocked(dead) : writer.write(dead);
        } catch (StoreException e) {
            // The store is away. So nothing is known about this row, and the next row would take as long again.
            triedAgainAt.remove(row);
            throw e;
        }
        isHeld = written.left().stream().anyMatch(Left::isLocked);
        if (isHeld) {
            resumesAt = now.plus(AFTER_HELD);
        }
        if (written.count() > 0) {
            ended(row, now);
            return true;
        }
        logOnce(first, key, row, written.left());
        return false;
    }

    private static void logOnce(boolean first, TimerKey key, Undecodable row, List<Left> left) {
        if (first) {
            String refusal = left.isEmpty()
                    ? "it does not match"
                    : left.get(0).isLocked()
                            ? "another transaction holds it"
                            : left.get(0).refusal();
            LOG.error(
                    "timer {} cannot be read ({}), cannot be ended as DEAD ({}) and is skipped",
                    key,
                    Printable.line(row.reason()),
                    Printable.line(refusal));
        }
    }

    /** The reason is stored with the row, so that an operator can read it. */
    private static Settlement dead(Undecodable row, TimerKey key, Instant now) {
        Failure failure = new Failure(row.reason(), now, now);
        return new Settlement.Ended(key, row.generation(), TimerState.DEAD, now, row.attempt(), failure);
    }
}
