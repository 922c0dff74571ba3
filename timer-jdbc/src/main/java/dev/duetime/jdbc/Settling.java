package dev.duetime.jdbc;

import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import org.jdbi.v3.core.Handle;

/** Splits outcomes by kind, sorted by key so that two nodes lock rows in the same order. Thread-safe. */
final class Settling {
    private final SettleStatements statements;

    Settling(SettleStatements statements) {
        this.statements = statements;
    }

    int settle(Transactions transactions, List<Settlement> settlements) {
        long kinds = settlements.stream().map(Settlement::getClass).distinct().count();
        if (kinds == 0) {
            return 0;
        }
        String subject = settlements.size() + " deliveries";
        return kinds == 1 && statements.isOneStatement()
                ? transactions.single("settle", subject, handle -> write(handle, settlements))
                : transactions.run("settle", subject, handle -> write(handle, settlements));
    }

    private int write(Handle handle, List<Settlement> settlements) {
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
