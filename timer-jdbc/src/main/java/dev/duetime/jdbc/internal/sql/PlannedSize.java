package dev.duetime.jdbc.internal.sql;

/**
 * The size of the table that plans of PostgreSQL are made for. PostgreSQL keeps the generic plan of a statement until
 * it has new statistics, which takes a minute or more. A plan that was made while the table was small reads all of it:
 * to settle 1,000 of 200,000 timers took 68 s with such a plan, and 22 ms with a new one. So each statement names the
 * size, and has another text, and so another plan, when the table has become twice as large. Thread-safe.
 */
public final class PlannedSize {
    /** Up to this size, any plan is good: 64 pages. */
    private static final long SMALL_BYTES = 64 * 8_192;

    private volatile int doublings;
    private volatile String note = "";

    /** Takes note of the present size of the table. A table that shrinks needs no other plans. */
    public void grow(long bytes) {
        int found = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, bytes - 1) / SMALL_BYTES);
        if (found > doublings) {
            doublings = found;
            note = " /* size " + found + " */";
        }
    }

    /** Returns the statement to run at the present size. */
    public String in(String statement) {
        String noted = note;
        return noted.isEmpty() ? statement : statement + noted;
    }
}
