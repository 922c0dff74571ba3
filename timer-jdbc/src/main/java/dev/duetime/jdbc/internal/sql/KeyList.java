package dev.duetime.jdbc.internal.sql;

import dev.duetime.TimerKey;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * A part of a batch of keys, for a statement with a parameter for each key. The list is padded to a power of two with
 * the last key, so that the database parses only a few different statements.
 */
public record KeyList(List<TimerKey> keys) {
    /**
     * MySQL needs memory to plan a list, more for a longer one and for each index that fits. Where {@code
     * range_optimizer_max_mem_size} does not suffice, it reads the whole table, and locks it. With its default that was
     * so from about 200 keys on.
     */
    private static final int MOST = 64;

    public static List<KeyList> split(List<TimerKey> keys) {
        List<KeyList> lists = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MOST) {
            lists.add(new KeyList(keys.subList(from, Math.min(keys.size(), from + MOST))));
        }
        return lists;
    }

    /** Returns the statement with all keys bound. */
    public Query query(Handle handle, SqlFiles sql, String name) {
        int padded = Integer.highestOneBit(2 * keys.size() - 1);
        Query query = handle.createQuery(sql.text(name, padded));
        for (int i = 0; i < padded; i++) {
            TimerKey key = keys.get(Math.min(i, keys.size() - 1));
            query.bind("tenantId" + i, key.tenantId())
                    .bind("timerId" + i, key.timerId())
                    .bind("scope" + i, key.scope());
        }
        return query;
    }
}
