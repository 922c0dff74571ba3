package dev.duetime.jdbc.internal.row;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A check of texts that were read. MySQL and SQLite store bytes that are not UTF-8, if others write them. A driver
 * replaces them, so that the text is another one than the stored one: no statement would find its row.
 */
final class StoredText {
    private static final char REPLACEMENT = '\uFFFD';

    private StoredText() {}

    /** The stored bytes of a text. */
    @FunctionalInterface
    interface Bytes {
        byte @Nullable [] read() throws SQLException;
    }

    /** Returns whether a text is the stored one. Nearly always the text itself shows that. */
    static boolean isWhole(@Nullable String text, Bytes stored) throws SQLException {
        return text == null
                || text.indexOf(REPLACEMENT) < 0
                || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), stored.read());
    }
}
