package dev.duetime.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.testkit.TestClock;
import io.micronaut.context.ApplicationContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the application with the engine in virtual time. */
class OrdersTest {
    private final TestClock clock = new TestClock();

    private final ApplicationContext application = ApplicationContext.builder()
            .singletons(clock)
            .properties(Map.of("orders.database", "jdbc:h2:mem:micronaut-orders"))
            .start();

    private final Orders orders = application.getBean(Orders.class);

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void anUnpaidOrderIsCancelledAfterFifteenMinutes() throws SQLException {
        orders.place("17");

        clock.advance(Orders.PAYMENT_TIMEOUT.minusMillis(1));
        assertThat(orders.state("17")).isEqualTo("PLACED");

        clock.advance(Duration.ofMillis(1));
        assertThat(orders.state("17")).isEqualTo("CANCELLED");
    }

    @Test
    void aPaidOrderStaysPaid() throws SQLException {
        orders.place("18");
        orders.pay("18");

        clock.advance(Duration.ofHours(1));

        assertThat(orders.state("18")).isEqualTo("PAID");
    }

    @Test
    void theApplicationStopsTheSchedulerBeforeThePool() {
        Scheduler scheduler = application.getBean(Scheduler.class);
        HikariDataSource pool = application.getBean(HikariDataSource.class);
        assertThat(scheduler.admin().health().running()).isTrue();

        application.close();

        assertThat(scheduler.admin().health().running()).isFalse();
        assertThat(pool.isClosed()).isTrue();
    }
}
