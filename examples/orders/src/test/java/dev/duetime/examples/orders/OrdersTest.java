package dev.duetime.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.examples.orders.Order.Status;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of commands on a real database. A command changes an order and, in the same transaction, the list of unpaid
 * orders.
 */
class OrdersTest {
    private static final Duration TIME_TO_PAY = Duration.ofMinutes(15);

    private final Shop shop = open();
    private final Orders orders = shop.orders;

    private static Shop open() {
        try {
            return Shop.onDatabase();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void anOrderIsOnTheListUntilItIsPaid() {
        orders.initiate("17");
        assertThat(shop.unpaidFor(TIME_TO_PAY.minusNanos(1_000))).isEmpty();
        assertThat(shop.unpaidFor(TIME_TO_PAY)).containsExactly("17");

        orders.recordPayment("17", 999);
        assertThat(shop.unpaidFor(TIME_TO_PAY)).isEmpty();

        orders.complete("17");
        assertThat(orders.find("17").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void aRepeatedCommandChangesNothing() {
        orders.initiate("17");
        shop.kit.advance(Duration.ofMinutes(1));
        orders.initiate("17");
        assertThat(shop.unpaidFor(Duration.ofMinutes(14))).containsExactly("17");

        orders.recordPayment("17", 999);
        orders.recordPayment("17", 999);
        assertThat(orders.find("17").version()).isEqualTo(2);
    }

    @Test
    void aCommandThatIsRefusedLeavesOrderAndListAsTheyWere() {
        orders.initiate("17");

        assertThatIllegalStateException().isThrownBy(() -> orders.complete("17"));

        assertThat(orders.find("17").status()).isEqualTo(Status.INITIATED);
        assertThat(shop.unpaidFor(TIME_TO_PAY)).containsExactly("17");
    }

    @Test
    void aPaymentThatWinsTheRaceAgainstTheCancellationStays() {
        orders.initiate("17");
        shop.meanwhile.add(() -> orders.recordPayment("17", 999));

        orders.cancelUnpaid("17");

        assertThat(orders.find("17").status()).isEqualTo(Status.PAID);
        assertThat(shop.unpaidFor(TIME_TO_PAY)).isEmpty();
    }

    @Test
    void aPaymentThatLosesTheRaceIsRefused() {
        orders.initiate("17");
        shop.meanwhile.add(() -> orders.cancelUnpaid("17"));

        assertThatIllegalStateException()
                .isThrownBy(() -> orders.recordPayment("17", 999))
                .withMessage("order 17 is CANCELLED and cannot be paid");

        assertThat(orders.find("17").status()).isEqualTo(Status.CANCELLED);
        assertThat(shop.unpaidFor(TIME_TO_PAY)).isEmpty();
    }
}
