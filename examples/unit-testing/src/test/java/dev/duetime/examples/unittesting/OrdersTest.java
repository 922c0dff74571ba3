package dev.duetime.examples.unittesting;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.examples.unittesting.Orders.OrderState;
import dev.duetime.testkit.DuetimeExtension;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DuetimeExtension.class)
class OrdersTest {
    private Orders orders = new Orders(TimerKit.create().scheduler());

    @BeforeEach
    void wire(TimerKit kit) {
        orders = new Orders(kit.scheduler());
        kit.publisher().onEach(orders::on);
    }

    @Test
    void anUnpaidOrderIsCancelledAfterFifteenMinutes(TimerKit kit) {
        orders.place("17");

        kit.advance(Duration.ofMinutes(15).minusMillis(1));
        assertThat(orders.state("17")).hasValue(OrderState.PLACED);

        kit.advance(Duration.ofMillis(1));
        assertThat(orders.state("17")).hasValue(OrderState.CANCELLED);
        assertThat(kit).hasDelivered("order-17-payment");
    }

    @Test
    void aPaidOrderStaysPaid(TimerKit kit) {
        orders.place("17");
        kit.advance(Duration.ofMinutes(14));
        orders.pay("17");

        kit.advance(Duration.ofDays(1));

        assertThat(orders.state("17")).hasValue(OrderState.PAID);
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void eachOrderHasItsOwnTime(TimerKit kit) {
        orders.place("17");
        kit.advance(Duration.ofMinutes(1));
        orders.place("18");

        kit.advance(Duration.ofHours(1));

        assertThat(kit).hasDeliveredInOrder("order-17-payment", "order-18-payment");
    }

    @Test
    void aTimeoutThatIsDeliveredTwiceDoesNoHarm(TimerKit kit) {
        kit.publisher().acceptSilently(1);
        orders.place("17");

        kit.advance(Duration.ofMinutes(16));

        assertThat(kit).hasDeliveredCount(2);
        assertThat(orders.state("17")).hasValue(OrderState.CANCELLED);
    }

    @Test
    void anOutageOfTheBrokerDelaysATimeoutAndLosesNone(TimerKit kit) {
        orders.place("17");
        kit.publisher().failAlways();
        kit.advance(Duration.ofHours(2));
        assertThat(orders.state("17")).hasValue(OrderState.PLACED);

        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));

        assertThat(orders.state("17")).hasValue(OrderState.CANCELLED);
    }
}
