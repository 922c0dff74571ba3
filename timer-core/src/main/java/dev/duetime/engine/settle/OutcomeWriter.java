package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.internal.Errors;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.LockedException;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.RefusedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The writer of outcomes. It finds the outcomes that cannot be written now, because another transaction holds their
 * rows or the database refuses them. All other outcomes are written. If the store does not say whether a row is the
 * reason, the writer tries whether the store can write at all. Thread-safe.
 */
public final class OutcomeWriter {
    /** After this many refusals in a row without a successful write, the cause is no single row. */
    private static final int REFUSALS_IN_A_ROW = 8;

    /**
     * After this many single outcomes or parts in a row whose wait timed out, the cause is no single row either. All
     * waits of a write together must leave time for the other outcomes of the queue.
     */
    private static final int TIMEOUTS_IN_A_ROW = 4;

    /**
     * After a wait for held rows no write waits for so many times as long. A transaction that holds many rows would
     * otherwise delay each batch in which one of them is.
     */
    private static final int REST_FACTOR = 20;

    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(5).toNanos();

    /** A write of more outcomes waits all the same: without the wait, the store looks at each row by a statement. */
    private static final int MOST_APART = 50;

    private final ScheduleStore store;
    private final Clock clock;

    private volatile long waitsAgainAtNanos;

    public OutcomeWriter(ScheduleStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
        waitsAgainAtNanos = clock.nanoTime();
    }

    /**
     * An outcome that could not be written.
     *
     * @param outcome the outcome
     * @param refusal the error of the store; empty, and never null, if another transaction holds the row
     */
    public record Left(Settlement outcome, String refusal) {
        boolean isLocked() {
            return refusal.isEmpty();
        }
    }

    /**
     * The result of a write.
     *
     * @param count how many outcomes were written
     * @param left the outcomes that could not be written; all others were overtaken
     */
    public record Written(int count, List<Left> left) {}

    /**
     * Writes outcomes; those with large payloads in several transactions. Waits a short time for rows that other
     * transactions hold. A write of a few outcomes does not wait if one has waited in vain in the last seconds.
     *
     * @throws StoreException if the store is away; then any of the outcomes may have been written
     */
    public Written write(List<Settlement> outcomes) {
        return new Parts(false).all(outcomes, true);
    }

    /**
     * Writes outcomes whose rows other transactions held before; otherwise as {@link #write}.
     *
     * @param last whether this is the last try, which leaves no part untried
     */
    public Written writeUnlocked(List<Settlement> outcomes, boolean last) {
        return new Parts(last).all(outcomes, false);
    }

    /** As {@link #writeUnlocked(List, boolean)}, and not the last try. */
    public Written writeUnlocked(List<Settlement> outcomes) {
        return writeUnlocked(outcomes, false);
    }

    /**
     * Writes outcomes together, if each of them can be written and matches its row.
     *
     * @return whether they were written; if not, none was
     * @throws LockedException if another transaction holds one of the rows
     */
    boolean writesAll(List<Settlement> outcomes) {
        try (OwnTransaction transaction = store.begin()) {
            transaction.waitBriefly();
            if (transaction.writes().settle(outcomes) < outcomes.size()) {
                return false;
            }
            transaction.commit();
            return true;
        } catch (CollisionException | RefusedException | DoubtfulException e) {
            return false;
        }
    }

    /**
     * Returns whether the store can write such an outcome, if its row lets it. This writes an outcome that matches no
     * row: with a generation that its timer does not have.
     */
    public boolean takes(Settlement outcome) {
        Settlement unmatched = outcome instanceof Settlement.Deleted
                ? new Settlement.Deleted(outcome.key(), ~outcome.generation())
                : new Settlement.Retried(outcome.key(), ~outcome.generation(), Instant.EPOCH, 0, null);
        try {
            store.settle(List.of(unmatched));
            return true;
        } catch (LockedException e) {
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** A write of one batch. If the database refuses the whole batch, it writes the halves, down to single outcomes. */
    private final class Parts {
        private final List<Left> left = new ArrayList<>();

        /** Outcomes that were not tried alone. The next write begins with them. */
        private final List<Left> untried = new ArrayList<>();

        private int count;
        private int refusals;
        /** Whether it is known that the store can write rows. */
        private boolean hasProof;

        private int timeouts;
        private final boolean triesAll;

        Parts(boolean triesAll) {
            this.triesAll = triesAll;
        }

        Written all(List<Settlement> outcomes, boolean waits) {
            if (!outcomes.isEmpty()) {
                OutcomeBytes.parts(outcomes).forEach(part -> writePart(part, waits));
            }
            untried.addAll(left);
            return new Written(count, List.copyOf(untried));
        }

        private void writePart(List<Settlement> part, boolean waits) {
            if (timeouts >= TIMEOUTS_IN_A_ROW && !triesAll) {
                leaveUntried(part);
            } else {
                write(part, waits && (part.size() > MOST_APART || clock.nanoTime() - waitsAgainAtNanos >= 0));
            }
        }

        private void leaveUntried(List<Settlement> part) {
            part.forEach(each -> untried.add(new Left(each, "")));
        }

        private void write(List<Settlement> part, boolean waits) {
            try {
                if (!waits || !writeWhole(part)) {
                    writeUnlocked(part);
                }
            } catch (RefusedException e) {
                refused(part, waits, e);
            } catch (DoubtfulException e) {
                proveAnswer(part.get(0), e);
                refused(part, waits, e);
            }
        }

        /** Throws the failure if the store cannot write any row, and not only some of them. */
        private void proveAnswer(Settlement outcome, DoubtfulException e) {
            if (!hasProof && !takes(outcome)) {
                throw e;
            }
            hasProof = true;
        }

        /** Returns whether no other transaction held a row of the batch. */
        private boolean writeWhole(List<Settlement> part) {
            long began = clock.nanoTime();
            try {
                count += store.settle(part);
                hasProof = true;
                refusals = 0;
                timeouts = 0;
                return true;
            } catch (LockedException e) {
                long now = clock.nanoTime();
                waitsAgainAtNanos = now + Math.min(LONGEST_REST_NANOS, REST_FACTOR * (now - began));
                return false;
            }
        }

        private void writeUnlocked(List<Settlement> part) {
            try {
                Settled settled = store.settleUnlocked(part);
                count += settled.count();
                boolean isHeld = settled.locked().size() == part.size();
                refusals = isHeld ? refusals : 0;
                timeouts = isHeld ? timeouts + 1 : 0;
                settled.locked().forEach(each -> left.add(new Left(each, "")));
            } catch (LockedException e) {
                // This store cannot skip single locked rows.
                if (part.size() == 1) {
                    timeouts++;
                    left.add(new Left(part.get(0), ""));
                } else if (timeouts >= TIMEOUTS_IN_A_ROW) {
                    leaveUntried(part);
                } else {
                    int half = part.size() / 2;
                    writeUnlocked(part.subList(0, half));
                    writeUnlocked(part.subList(half, part.size()));
                }
            }
        }

        private void refused(List<Settlement> part, boolean waits, StoreException e) {
            if (part.size() == 1 || refusals >= REFUSALS_IN_A_ROW) {
                refusals++;
                List<Left> to = part.size() == 1 ? left : untried;
                part.forEach(each -> to.add(new Left(each, String.valueOf(Errors.message(e)))));
                return;
            }
            int half = part.size() / 2;
            write(part.subList(0, half), waits);
            write(part.subList(half, part.size()), waits);
        }
    }
}
