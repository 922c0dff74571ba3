package dev.duetime.jdbc.internal.port;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.internal.Errors;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.tx.Collision;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.NotWritten;
import dev.duetime.jdbc.internal.write.SettleStatements;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/**
 * The settlement of outcomes. It splits them by kind and sorts them by key, so that two nodes lock rows in the same
 * order. In the store's own transactions it does not wait for a row that another transaction holds. Thread-safe.
 */
public final class Settling {
    private final Dialect dialect;
    private final SettleStatements statements;
    private final SettleStatements brief;

    public Settling(Dialect dialect) {
        this.dialect = dialect;
        statements = dialect.settlements(false);
        brief = dialect.settlements(true);
    }

    public int settle(Transactions transactions, List<Settlement> settlements) {
        long kinds = settlements.stream().map(Settlement::getClass).distinct().count();
        if (kinds == 0) {
            return 0;
        }
        String subject = settlements.size() + " deliveries";
        if (transactions.isBrief()) {
            return told(
                    subject,
                    () -> kinds == 1 && brief.isOneStatement(settlements) && brief.limitsWaits()
                            ? transactions.single("settle", subject, handle -> written(handle, settlements, false))
                            : transactions.run(
                                    "settle",
                                    subject,
                                    handle -> written(handle, settlements, transactions.waitsBriefly())));
        }
        return kinds == 1 && statements.isOneStatement(settlements)
                ? transactions.single("settle", subject, handle -> write(statements, handle, settlements))
                : transactions.run("settle", subject, handle -> write(statements, handle, settlements));
    }

    /** Writes the outcomes whose rows no other transaction holds. */
    public Settled settleUnlocked(Transactions transactions, List<Settlement> settlements) {
        if (settlements.isEmpty()) {
            return new Settled(0, List.of());
        }
        String subject = settlements.size() + " deliveries";
        return told(subject, () -> transactions.run("settle", subject, handle -> writtenUnlocked(handle, settlements)));
    }

    private static <T> T told(String subject, Supplier<T> work) {
        try {
            return work.get();
        } catch (NotWritten e) {
            StoreException told = Failures.of("settle", subject, e.reason);
            Throwable cause = Objects.requireNonNullElse(Errors.cause(told), told);
            throw e.locked
                    ? new LockedException("settle", subject, cause)
                    : new RefusedException("settle", subject, cause);
        } catch (CollisionException e) {
            throw new LockedException("settle", subject, Objects.requireNonNullElse(Errors.cause(e), e));
        }
    }

    /**
     * Writes all outcomes.
     *
     * @param isRepeated whether the transactions repeat what met a held row
     */
    private int written(Handle handle, List<Settlement> settlements, boolean isRepeated) throws SQLException {
        return guarded(
                isRepeated,
                () -> brief.limitsWaits()
                        ? dialect.limited(handle, LockWaits.LONGEST_WAIT, same -> write(brief, same, settlements))
                        : dialect.brieflyInTotal(handle, same -> write(brief, same, settlements)));
    }

    private Settled writtenUnlocked(Handle handle, List<Settlement> settlements) throws SQLException {
        if (dialect.locksGaps()) {
            return guarded(false, () -> dialect.brieflyInTotal(handle, same -> writtenBesideGaps(same, settlements)));
        }
        return guarded(
                false,
                () -> dialect.briefly(handle, same -> {
                    List<Settlement> free = new ArrayList<>();
                    List<Settlement> others = new ArrayList<>();
                    for (Settlement each : settlements.stream()
                            .sorted(Comparator.comparing(Settlement::key))
                            .toList()) {
                        (isFound(same, "lock_free", each) ? free : others).add(each);
                    }
                    int count = write(brief, same, free);
                    return new Settled(
                            count,
                            others.stream()
                                    .filter(each -> isFound(same, "is_open", each))
                                    .toList());
                }));
    }

    /**
     * Writes the outcomes of all free rows together, and one by one only if that meets a gap that is locked. Each of
     * hundreds of outcomes would take a statement or two, and the queue would wait for them. A database that can be
     * told not to wait takes a statement for each.
     */
    private Settled writtenBesideGaps(Handle handle, List<Settlement> settlements) throws SQLException {
        if (settlements.size() == 1 || dialect.mostWaitsForGaps() == Integer.MAX_VALUE) {
            return writtenOneByOne(handle, settlements);
        }
        Map<TimerKey, Long> free = lockFree(handle, settlements);
        List<Settlement> written = new ArrayList<>();
        List<Settlement> others = new ArrayList<>();
        for (Settlement each : settlements) {
            boolean isFree = Objects.equals(free.get(each.key()), each.generation());
            (isFree ? written : others).add(each);
        }
        Savepoint before = handle.getConnection().setSavepoint();
        int count;
        try {
            count = write(brief, handle, written);
        } catch (JdbiException e) {
            if (!Failures.any(e, dialect::isLockTimeout) || !dialect.survivesLockTimeout(handle)) {
                throw e;
            }
            handle.getConnection().rollback(before);
            return writtenOneByOne(handle, settlements);
        }
        return new Settled(
                count,
                others.stream().filter(each -> isFound(handle, "is_open", each)).toList());
    }

    private Map<TimerKey, Long> lockFree(Handle handle, List<Settlement> settlements) {
        Map<TimerKey, Long> free = new HashMap<>();
        List<TimerKey> keys = settlements.stream().map(Settlement::key).sorted().toList();
        for (KeyList some : KeyList.split(keys)) {
            some.query(handle, dialect.sql(), "lock_free_timers")
                    .map((row, context) -> Map.entry(TimerRows.key(row), row.getLong("generation")))
                    .forEach(each -> free.put(each.getKey(), each.getValue()));
        }
        return free;
    }

    /**
     * A free row does not show here that its outcome can be written: its new place in an index may be locked. Where
     * only some waits are allowed, each call begins at another outcome, so that the same ones are not left each time.
     */
    private Settled writtenOneByOne(Handle handle, List<Settlement> settlements) {
        int waits = dialect.mostWaitsForGaps();
        boolean isLimited = waits < Integer.MAX_VALUE;
        List<Settlement> held = new ArrayList<>();
        int count = 0;
        for (Settlement each : inOrder(settlements, isLimited)) {
            if (isLimited && (waits == 0 || !isFound(handle, "lock_free", each))) {
                held.add(each);
                continue;
            }
            try {
                count += write(brief, handle, List.of(each));
            } catch (JdbiException e) {
                if (!Failures.any(e, dialect::isLockTimeout) || !dialect.survivesLockTimeout(handle)) {
                    throw e;
                }
                waits--;
                held.add(each);
            }
        }
        return new Settled(
                count,
                held.stream().filter(each -> isFound(handle, "is_open", each)).toList());
    }

    private static List<Settlement> inOrder(List<Settlement> settlements, boolean rotated) {
        List<Settlement> ordered = new ArrayList<>(settlements);
        ordered.sort(Comparator.comparing(Settlement::key));
        if (rotated) {
            Collections.rotate(ordered, ThreadLocalRandom.current().nextInt(ordered.size()));
        }
        return ordered;
    }

    private boolean isFound(Handle handle, String statement, Settlement outcome) {
        return !dialect.sql()
                .driver(statement)
                .query(handle, byKey(outcome), row -> row.getLong(1))
                .isEmpty();
    }

    private static DriverStatement.Binder byKey(Settlement outcome) {
        return (statement, position, parameter) -> {
            switch (parameter.name()) {
                case "tenantId" -> statement.setString(position, outcome.key().tenantId());
                case "timerId" -> statement.setString(position, outcome.key().timerId());
                case "scope" -> statement.setString(position, outcome.key().scope());
                default -> statement.setLong(position, outcome.generation());
            }
        };
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    /** Distinguishes failures that the engine handles, before the same call is repeated. */
    private <T> T guarded(boolean isRepeated, Work<T> work) throws SQLException {
        try {
            return work.run();
        } catch (SQLException | JdbiException e) {
            if (!isRepeated && Failures.any(e, dialect::isLockTimeout)) {
                throw new NotWritten(true, e);
            }
            if (Failures.any(e, each -> Failures.isRefusal(each) || dialect.collision(each) == Collision.TAKEN_KEY)) {
                throw new NotWritten(false, e);
            }
            throw e;
        }
    }

    private static int write(SettleStatements statements, Handle handle, List<Settlement> settlements) {
        return write(handle, settlements, Ended.class, statements::ended)
                + write(handle, settlements, Deleted.class, statements::deleted)
                + write(handle, settlements, Retried.class, statements::retried)
                + write(handle, settlements, Moved.class, statements::moved)
                + write(handle, settlements, Advanced.class, statements::advanced);
    }

    private static <S extends Settlement> int write(
            Handle handle,
            List<Settlement> settlements,
            Class<S> kind,
            BiFunction<Handle, List<S>, Integer> statement) {
        List<S> ofKind = settlements.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .sorted(Comparator.comparing(Settlement::key))
                .toList();
        return ofKind.isEmpty() ? 0 : statement.apply(handle, ofKind);
    }
}
