package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.todo.TodoMode;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The place and the way in which a node works.
 *
 * @param kind the kind of database
 * @param dataSource its own pool
 * @param deliveries where due timers go
 * @param keep whether ended timers are kept
 * @param todos in which mode they are run as todos; null if they are delivered as timers
 * @param share the node's number, the number of nodes, and the settings
 * @param calls how many calls of the publisher run at once
 * @param hints whether nodes send hints and place timers near; only Duetime
 */
public record Site(
        DatabaseKind kind,
        DataSource dataSource,
        Deliveries deliveries,
        boolean keep,
        @Nullable TodoMode todos,
        Share share,
        int calls,
        boolean hints) {

    /**
     * The place of a node among the nodes of a run.
     *
     * @param node its number, from 0
     * @param nodes how many there are
     * @param tuning the settings that were the best before
     */
    public record Share(int node, int nodes, Tuning tuning) {}

    Tuning tuning() {
        return share.tuning();
    }
}
