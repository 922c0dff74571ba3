package dev.duetime.engine.settings;

/** How much memory one read of a queue may take for the payloads, headers and last errors of its timers. */
public final class ReadBytes {
    /** Room for eight of the largest payloads. */
    private static final long MOST = 8 * 1024 * 1024;

    /**
     * The part of a heap that one read may take. An embedded database writes the outcomes of a read from a buffer of
     * several times its size, and H2 closes its file if there is no memory for that.
     */
    private static final int PART_OF_HEAP = 64;

    /** A queue holds eight reads at most. So all queues of a node together hold a quarter of the heap. */
    private static final int PART_OF_ALL_QUEUES = 32;

    private ReadBytes() {}

    /** Returns the bytes of a read in this process. */
    public static long of(int queues) {
        return of(Runtime.getRuntime().maxMemory(), queues);
    }

    /**
     * Returns the bytes of a read.
     *
     * @param heap the largest size of the heap
     * @param queues how many queues are read at the same time
     */
    static long of(long heap, int queues) {
        return Math.min(MOST, Math.min(heap / PART_OF_HEAP, heap / (PART_OF_ALL_QUEUES * (long) Math.max(1, queues))));
    }
}
