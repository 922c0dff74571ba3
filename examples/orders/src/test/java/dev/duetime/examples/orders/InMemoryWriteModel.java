package dev.duetime.examples.orders;

import dev.duetime.store.Transaction;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** A write model in memory, in transactions of the testkit's store. For tests with one thread. */
final class InMemoryWriteModel implements WriteModel {
    private final Supplier<InMemoryTransaction> begin;
    private final Map<String, Order> orders = new HashMap<>();

    InMemoryWriteModel(Supplier<InMemoryTransaction> begin) {
        this.begin = begin;
    }

    @Override
    public <R> R transact(Function<Session, R> command) {
        try (InMemoryTransaction transaction = begin.get()) {
            InMemorySession session = new InMemorySession(transaction);
            R result = command.apply(session);
            transaction.commit();
            orders.putAll(session.changed);
            return result;
        }
    }

    private final class InMemorySession implements Session {
        private final InMemoryTransaction transaction;
        private final Map<String, Order> changed = new HashMap<>();

        InMemorySession(InMemoryTransaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public Order load(String orderId) {
            return orders.getOrDefault(orderId, Order.unknown(orderId));
        }

        @Override
        public void append(Order order, List<OrderEvent> events) {
            if (!events.isEmpty() && load(order.id()).version() != order.version()) {
                throw new ConcurrentChangeException(order);
            }
            Order after = order;
            for (OrderEvent event : events) {
                after = after.after(event);
            }
            changed.put(order.id(), after);
        }

        @Override
        public Transaction transaction() {
            return transaction;
        }
    }
}
