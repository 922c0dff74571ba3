package dev.duetime.engine.todo;

import java.util.ArrayList;
import java.util.List;

/** The outcomes of todos that are not settled. Guarded by the lock of its {@link TodoBuffer}. */
final class DoneTodos {
    /** The number of batches above which they are too many. */
    private static final int MOST_BATCHES = 4;

    private final int batchSize;
    private List<DoneTodo> waiting = new ArrayList<>();

    /** The number of outcomes that the settler has taken and not settled. */
    private int taken;

    DoneTodos(int batchSize) {
        this.batchSize = batchSize;
    }

    void add(DoneTodo outcome) {
        waiting.add(outcome);
    }

    /** Returns how many wait to be settled. */
    int count() {
        return waiting.size();
    }

    /** Returns whether so many are not settled that reads must become smaller. */
    boolean areTooMany() {
        return waiting.size() + taken > MOST_BATCHES * batchSize;
    }

    /** Takes all outcomes that wait to be settled. */
    List<DoneTodo> take() {
        List<DoneTodo> all = waiting;
        waiting = new ArrayList<>();
        taken = all.size();
        return all;
    }

    /** Puts back taken outcomes that could not be settled. */
    void putBack(List<DoneTodo> outcomes) {
        taken = 0;
        waiting.addAll(0, outcomes);
    }

    /** Forgets the taken outcomes: they are settled. */
    void settledTaken() {
        taken = 0;
    }
}
