package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DuplicateKeyException;

/** Tests of the application with the engine in virtual time. */
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:orders-test")
class OrdersTest {
    @TestConfiguration
    static class VirtualTime {
        @Bean
        TestClock testClock() {
            return new TestClock();
        }
    }

    @Autowired
    private Orders orders;

    @Autowired
    private Scheduler scheduler;

    @Autowired
    private TestClock clock;

    @Test
    void anUnpaidOrderIsCancelledAfterFifteenMinutes() {
        orders.place("17");

        clock.advance(Duration.ofMinutes(15).minusMillis(1));
        assertThat(orders.state("17")).hasValue("PLACED");

        clock.advance(Duration.ofMillis(1));
        assertThat(orders.state("17")).hasValue("CANCELLED");
    }

    @Test
    void aPaidOrderStaysPaid() {
        orders.place("18");

        assertThat(orders.pay("18")).isTrue();
        clock.advance(Duration.ofHours(1));

        assertThat(orders.state("18")).hasValue("PAID");
        assertThat(timer("18").state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void anOrderThatCannotBePlacedLeavesNoTimer() {
        orders.place("19");
        orders.pay("19");

        // The timer is scheduled again first; then the order is found to exist, and all of it rolls back.
        assertThatThrownBy(() -> orders.place("19")).isInstanceOf(DuplicateKeyException.class);

        assertThat(timer("19").state()).isEqualTo(TimerState.CANCELLED);
        clock.advance(Duration.ofHours(1));
        assertThat(orders.state("19")).hasValue("PAID");
    }

    private StoredTimer timer(String order) {
        return scheduler.find(TimerKey.of("order-" + order)).orElseThrow();
    }
}
