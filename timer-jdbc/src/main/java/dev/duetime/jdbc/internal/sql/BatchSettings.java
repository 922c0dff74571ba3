package dev.duetime.jdbc.internal.sql;

import org.jdbi.v3.core.config.JdbiConfig;

/** The setting of a handle that says how its batches run. Not thread-safe, as the handle. */
public final class BatchSettings implements JdbiConfig<BatchSettings> {
    private boolean endsAtFirstFailure;

    /**
     * Sets whether a batch ends at the first statement that fails. If not, the driver decides, and some run all
     * statements of a batch.
     */
    public void endAtFirstFailure(boolean ends) {
        endsAtFirstFailure = ends;
    }

    boolean endsAtFirstFailure() {
        return endsAtFirstFailure;
    }

    @Override
    public BatchSettings createCopy() {
        BatchSettings copy = new BatchSettings();
        copy.endsAtFirstFailure = endsAtFirstFailure;
        return copy;
    }
}
