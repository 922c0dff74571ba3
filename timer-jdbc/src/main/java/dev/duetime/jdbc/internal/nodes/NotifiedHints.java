package dev.duetime.jdbc.internal.nodes;

import dev.duetime.StoreException;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.Notifications;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints that arrive as notifications, on a connection of the pool that is kept for them. It sends itself a message
 * when it begins and every 30 seconds, on another connection. If that does not arrive, the connection is dead, or a
 * pooler in transaction mode is in between. Used by one thread at a time.
 */
public final class NotifiedHints implements WakeUps.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(NotifiedHints.class);

    private static final Duration CHECK_EVERY = Duration.ofSeconds(30);
    /** How long a message to itself may take. */
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

    private final Notifications notifications;
    private final Transactions transactions;
    private final SqlFiles sql;
    private final String token = UUID.randomUUID().toString();

    // Mutable state of the thread that uses it.
    private long heardNanos;
    private @Nullable Long askedNanos;

    private NotifiedHints(Notifications notifications, Transactions transactions, SqlFiles sql) {
        this.notifications = notifications;
        this.transactions = transactions;
        this.sql = sql;
        heardNanos = System.nanoTime();
    }

    /**
     * Begins to listen.
     *
     * @param refusal what former attempts have found; noted if this one finds the same
     * @return empty if the driver or a pooler lets no notification through
     * @throws StoreException if the database failed
     */
    public static Optional<WakeUps.Receiver> listen(
            CheckedDataSource dataSource, Transactions transactions, SqlFiles sql, PushRefusal refusal) {
        if (refusal.holds()) {
            return Optional.empty();
        }
        Notifications opened;
        try {
            opened = Notifications.open(dataSource, sql);
        } catch (SQLException e) {
            throw Failures.of("listen to", "hints", e);
        }
        if (opened == null) {
            if (refusal.found()) {
                LOG.info("the driver hands out no notifications; this node looks for hints of other nodes instead");
            }
            return Optional.empty();
        }
        Optional<WakeUps.Receiver> receiver;
        boolean arrives = false;
        try {
            NotifiedHints hints = new NotifiedHints(opened, transactions, sql);
            receiver = Optional.of(hints);
            arrives = hints.hearsItself();
        } finally {
            if (!arrives) {
                opened.close();
            }
        }
        if (!arrives && refusal.found()) {
            LOG.warn(
                    "notifications of PostgreSQL do not arrive, as behind a pooler in transaction mode; this node looks"
                            + " for hints of other nodes instead, and tries again each hour");
        }
        return arrives ? receiver : Optional.empty();
    }

    private boolean hearsItself() {
        ask();
        long asked = System.nanoTime();
        while (askedNanos != null && System.nanoTime() - asked < LONGEST_CHECK.toNanos()) {
            receive(Duration.ofMillis(100));
        }
        return askedNanos == null;
    }

    private void ask() {
        transactions.single("send", "check of notifications", handle -> {
            JdbcWakeUps.notify(handle, sql, token);
            return true;
        });
        askedNanos = System.nanoTime();
    }

    @Override
    public List<WakeUp> await(Duration longest) {
        long now = System.nanoTime();
        Long asked = askedNanos;
        if (asked != null && now - asked > LONGEST_CHECK.toNanos()) {
            throw Failures.of("receive", "hints", new SQLException("notifications do not arrive any more", "08006"));
        }
        if (asked == null && now - heardNanos > CHECK_EVERY.toNanos()) {
            ask();
        }
        return receive(longest);
    }

    private List<WakeUp> receive(Duration longest) {
        try {
            List<WakeUp> hints = new ArrayList<>();
            for (String message : notifications.await(longest)) {
                if (message.equals(token)) {
                    askedNanos = null;
                    heardNanos = System.nanoTime();
                } else {
                    HintMessage.read(message).ifPresent(hints::add);
                }
            }
            return hints;
        } catch (SQLException e) {
            throw Failures.of("receive", "hints", e);
        }
    }

    @Override
    public void close() {
        notifications.close();
    }
}
