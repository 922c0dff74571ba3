package dev.duetime.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The blocks of Java in the chapter about to-do lists. */
class PassageOfTimePageTest {

    /** A stand-in for the user's own class. */
    private record Orders(DataSource database, TodoList<String> unpaid) {
        void cancelUnpaid(String orderId) {
            assertThat(orderId).isNotEmpty();
        }
    }

    @Test
    void aListIsWrittenInTheCallersTransactionAndHandledByATick() throws SQLException {
        try (HikariDataSource dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl("jdbc:h2:mem:passage-of-time-page");
            TodoList<String> unpaid = TodoList.of("unpaid-orders");
            Orders orders = new Orders(dataSource, unpaid);
            PassageOfTime time = PassageOfTime.builder()
                    .on(MinuteHasPassed.class, "unpaid-orders", unpaid.forEachOverdue((orderId, now) -> {
                        orders.cancelUnpaid(orderId);
                        return Verdict.DONE;
                    }))
                    .build();
            Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(dataSource))
                    .extension(unpaid)
                    .extension(time)
                    .build();
            scheduler.start();

            String orderId = "17";
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                unpaid.in(JdbcTransaction.of(connection)).add(orderId, Duration.ofMinutes(15));
                connection.commit();
                assertThat(unpaid.overdue(Instant.MAX)).containsExactly(orderId);
                unpaid.in(JdbcTransaction.of(connection)).done(orderId);
                connection.commit();
            }
            assertThat(unpaid.overdue(Instant.MAX)).isEmpty();
            scheduler.close();
        }
    }

    @Test
    void idsMayBeOfAnyType() {
        TodoList<UUID> reservations = TodoList.of("reservations", UUID::toString, UUID::fromString);

        assertThat(reservations).isNotNull();
    }
}
