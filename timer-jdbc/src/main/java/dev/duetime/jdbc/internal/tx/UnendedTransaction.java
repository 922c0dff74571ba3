package dev.duetime.jdbc.internal.tx;

/** A note that a transaction could not be rolled back. Its connection must not be used again. */
public final class UnendedTransaction extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnendedTransaction(Exception cause) {
        super("the transaction could not be rolled back", cause);
    }
}
