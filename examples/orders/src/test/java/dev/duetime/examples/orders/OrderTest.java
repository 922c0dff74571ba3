package dev.duetime.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.examples.orders.Order.Status;
import dev.duetime.examples.orders.OrderEvent.Cancelled;
import dev.duetime.examples.orders.OrderEvent.Completed;
import dev.duetime.examples.orders.OrderEvent.Initiated;
import dev.duetime.examples.orders.OrderEvent.PaymentRecorded;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of an order, without time and without a database. */
class OrderTest {
    private static final Duration TIME_TO_PAY = Duration.ofMinutes(15);

    private static Order after(OrderEvent... events) {
        Order order = Order.unknown("17");
        for (OrderEvent event : events) {
            order = order.after(event);
        }
        return order;
    }

    @Test
    void anOrderIsInitiatedPaidAndCompleted() {
        assertThat(after().initiate(TIME_TO_PAY)).containsExactly(new Initiated(TIME_TO_PAY));
        assertThat(after(new Initiated(TIME_TO_PAY)).recordPayment(999)).containsExactly(new PaymentRecorded(999));
        assertThat(after(new Initiated(TIME_TO_PAY), new PaymentRecorded(999)).complete())
                .containsExactly(new Completed());
        assertThat(after(new Initiated(TIME_TO_PAY), new PaymentRecorded(999), new Completed()))
                .isEqualTo(new Order("17", Status.COMPLETED, 3));
    }

    @Test
    void aRepeatDecidesNothing() {
        Order completed = after(new Initiated(TIME_TO_PAY), new PaymentRecorded(999), new Completed());

        assertThat(completed.initiate(TIME_TO_PAY)).isEmpty();
        assertThat(completed.recordPayment(999)).isEmpty();
        assertThat(completed.complete()).isEmpty();
    }

    @Test
    void onlyAnOrderThatWaitsForItsPaymentIsCancelled() {
        assertThat(after(new Initiated(TIME_TO_PAY)).cancelUnpaid()).containsExactly(new Cancelled());
        assertThat(after().cancelUnpaid()).isEmpty();
        assertThat(after(new Initiated(TIME_TO_PAY), new PaymentRecorded(999)).cancelUnpaid())
                .isEmpty();
        assertThat(after(new Initiated(TIME_TO_PAY), new Cancelled()).cancelUnpaid())
                .isEmpty();
    }

    @Test
    void aCancelledOrderIsNeitherPaidNorCompleted() {
        Order cancelled = after(new Initiated(TIME_TO_PAY), new Cancelled());

        assertThatIllegalStateException()
                .isThrownBy(() -> cancelled.recordPayment(999))
                .withMessage("order 17 is CANCELLED and cannot be paid");
        assertThatIllegalStateException().isThrownBy(cancelled::complete);
    }
}
