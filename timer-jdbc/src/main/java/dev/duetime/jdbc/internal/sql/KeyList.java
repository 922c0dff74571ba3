package dev.duetime.jdbc.internal.sql;

import dev.duetime.TimerKey;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/**
 * A part of a batch of keys, for a statement with a parameter for each key. The list is padded to a power of two with
 * the last key, so that the database parses only a few different statements.
 */
public record KeyList(List<Key> keys) {
    private static final int MOST = 256;

    /** A key as it is stored, which need not be a valid one. */
    public record Key(String tenantId, String timerId, String scope) {}

    public static List<KeyList> split(List<TimerKey> keys) {
        return splitStored(keys.stream()
                .map(key -> new Key(key.tenantId(), key.timerId(), key.scope()))
                .toList());
    }

    public static List<KeyList> splitStored(List<Key> keys) {
        List<KeyList> lists = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MOST) {
            lists.add(new KeyList(keys.subList(from, Math.min(keys.size(), from + MOST))));
        }
        return lists;
    }

    /** Returns the statement with all keys bound. */
    public Query query(Handle handle, SqlFiles sql, String name) {
        return bound(handle.createQuery(sql.text(name, padded())));
    }

    /** Returns the statement with all keys bound. */
    public Update update(Handle handle, SqlFiles sql, String name) {
        return bound(handle.createUpdate(sql.text(name, padded())));
    }

    private int padded() {
        return Integer.highestOneBit(2 * keys.size() - 1);
    }

    private <T extends SqlStatement<T>> T bound(T statement) {
        for (int i = 0; i < padded(); i++) {
            Key key = keys.get(Math.min(i, keys.size() - 1));
            statement
                    .bind("tenantId" + i, key.tenantId())
                    .bind("timerId" + i, key.timerId())
                    .bind("scope" + i, key.scope());
        }
        return statement;
    }
}
