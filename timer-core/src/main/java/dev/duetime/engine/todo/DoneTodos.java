package dev.duetime.engine.todo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The outcomes of todos that are not settled. Guarded by the lock of its {@link TodoBuffer}. */
final class DoneTodos {
    /** The number of batches above which they are too many. */
    private static final int MOST_BATCHES = 4;

    /** How many reads the outcomes may have as bytes. Beyond that, nothing begins until some are settled. */
    private static final int MOST_READS = 2;

    private final int batchSize;
    private final long mostBytes;

    /** All outcomes that are not settled, the oldest first. */
    private final List<DoneTodo> all = new ArrayList<>();

    /** How many of the first outcomes the settler has taken and not settled. They stay here until they are settled. */
    private int taken;

    /** How many bytes all of them write. */
    private long bytes;

    DoneTodos(int batchSize, long readBytes) {
        this.batchSize = batchSize;
        mostBytes = MOST_READS * readBytes;
    }

    void add(DoneTodo outcome) {
        all.add(outcome);
        bytes += outcome.bytes();
    }

    /** Returns how many wait to be settled. */
    int count() {
        return all.size() - taken;
    }

    /** Returns whether so many are not settled that nothing more is read. */
    boolean areTooMany() {
        return all.size() > MOST_BATCHES * batchSize || areHeavy();
    }

    /** Returns whether they have so many bytes that no further todo may run. */
    boolean areHeavy() {
        return bytes > mostBytes;
    }

    /**
     * Takes all outcomes, also those that were taken before and neither settled nor put back.
     *
     * @param isOpen whether the run of an outcome has not ended. If it has, the outcome is settled, and an error broke
     *     off before it was forgotten
     */
    List<DoneTodo> take(Predicate<DoneTodo> isOpen) {
        all.removeIf(isOpen.negate());
        measure();
        List<DoneTodo> copy = List.copyOf(all);
        taken = all.size();
        return copy;
    }

    /** Puts back the taken outcomes, which could not be settled. */
    void putBack() {
        taken = 0;
    }

    /** Forgets the taken outcomes: they are settled. */
    void settledTaken() {
        all.subList(0, taken).clear();
        taken = 0;
        measure();
    }

    /** Derives the size, so that no error leaves a wrong one. */
    private void measure() {
        long sum = 0;
        for (DoneTodo each : all) {
            sum += each.bytes();
        }
        bytes = sum;
    }
}
