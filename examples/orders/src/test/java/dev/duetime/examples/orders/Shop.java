package dev.duetime.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todolist.TodoList;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** The whole process in virtual time: orders, list and timers in one store. */
final class Shop implements AutoCloseable {
    /** Orders that cannot be written. */
    final Set<String> broken = new HashSet<>();

    /** The action of another command between the load and the append of a command. */
    final Queue<Runnable> meanwhile = new ArrayDeque<>();

    final TodoList<String> unpaid = TodoList.of("unpaid-orders");
    final TimerKit kit;
    final Orders orders;
    private final Runnable close;

    private Shop(TimerKit.Builder builder, Function<Shop, WriteModel> model, Runnable close) {
        orders = new Orders(new Troubled(model.apply(this)), unpaid, Duration.ofMinutes(15));
        kit = builder.configure(
                        scheduler -> scheduler.extension(unpaid).extension(OrderTimeouts.eachMinute(orders, unpaid)))
                .build();
        this.close = close;
    }

    /** Opens a shop without a database. */
    static Shop inMemory() {
        return new Shop(TimerKit.builder(), shop -> new InMemoryWriteModel(() -> shop.kit.begin()), () -> {});
    }

    /** Opens a shop on an H2 database. */
    static Shop onDatabase() throws SQLException {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        WriteModel model = new JdbcWriteModel(database);
        Shop shop = new Shop(TimerKit.builder().store(JdbcScheduleStore.of(database)), given -> model, database::close);
        // No other program writes to this database while time passes.
        shop.kit.clock().everyTurn(false);
        return shop;
    }

    /** Returns the orders on the list that are overdue in some time. */
    List<String> unpaidFor(Duration time) {
        return unpaid.overdue(kit.now().plus(time)).toList();
    }

    @Override
    public void close() {
        kit.close();
        close.run();
    }

    /** A write model with concurrent commands and failures between the load and the append of a command. */
    private final class Troubled implements WriteModel {
        private final WriteModel model;

        Troubled(WriteModel model) {
            this.model = model;
        }

        @Override
        public <R> R transact(Function<Session, R> command) {
            return model.transact(session -> command.apply(new Session() {
                @Override
                public Order load(String orderId) {
                    return session.load(orderId);
                }

                @Override
                public void append(Order order, List<OrderEvent> events) {
                    Runnable other = meanwhile.poll();
                    if (other != null) {
                        other.run();
                    }
                    if (broken.contains(order.id())) {
                        throw new IllegalStateException("order " + order.id() + " is broken");
                    }
                    session.append(order, events);
                }

                @Override
                public Transaction transaction() {
                    return session.transaction();
                }
            }));
        }
    }
}
