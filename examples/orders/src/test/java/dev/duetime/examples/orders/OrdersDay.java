package dev.duetime.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.examples.orders.Order.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what happens as minutes pass. They run in virtual time, without a database and on one. */
abstract class OrdersDay {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Shop shop;
    private final Orders orders;

    OrdersDay(Shop shop) {
        this.shop = shop;
        orders = shop.orders;
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private Status status(String orderId) {
        return orders.find(orderId).status();
    }

    @Test
    void anOrderThatIsNotPaidIsCancelledByTheFirstMinuteAfterItsTime() {
        shop.kit.advance(Duration.ofSeconds(30));
        orders.initiate("17");

        shop.kit.advance(MINUTE.multipliedBy(15));
        assertThat(status("17")).isEqualTo(Status.INITIATED);

        shop.kit.advance(Duration.ofSeconds(30));
        assertThat(status("17")).isEqualTo(Status.CANCELLED);
        assertThat(shop.unpaidFor(Duration.ofDays(1))).isEmpty();
    }

    @Test
    void anOrderThatIsPaidInTimeIsNotCancelled() {
        orders.initiate("17");
        shop.kit.advance(MINUTE.multipliedBy(14));
        orders.recordPayment("17", 999);

        shop.kit.advance(Duration.ofHours(1));

        assertThat(status("17")).isEqualTo(Status.PAID);
    }

    @Test
    void anOrderThatCannotBeCancelledIsRetriedAndDelaysNoOther() {
        orders.initiate("17");
        orders.initiate("18");
        shop.broken.add("17");
        shop.kit.advance(MINUTE.multipliedBy(16));
        assertThat(status("17")).isEqualTo(Status.INITIATED);
        assertThat(status("18")).isEqualTo(Status.CANCELLED);

        shop.broken.clear();
        shop.kit.advance(MINUTE);

        assertThat(status("17")).isEqualTo(Status.CANCELLED);
    }

    @Test
    void ordersThatFellDueWhileNoNodeRanAreCancelledByTheNextNode() {
        orders.initiate("17");
        shop.kit.node(0).crash();
        shop.kit.advance(Duration.ofHours(5));
        assertThat(status("17")).isEqualTo(Status.INITIATED);

        shop.kit.node(0).restart();
        shop.kit.advance(MINUTE);

        assertThat(status("17")).isEqualTo(Status.CANCELLED);
    }

    /**
     * An order is placed every five minutes. Of three orders, one is paid after ten minutes, one after twenty, and one
     * never.
     */
    @Test
    void aWholeDayIsPlayed() {
        List<String> refused = new ArrayList<>();
        for (int minute = 0; minute < 24 * 60; minute++) {
            if (minute % 5 == 0) {
                orders.initiate("order-" + minute / 5);
            }
            pay(minute - 10, 0, refused);
            pay(minute - 20, 1, refused);
            shop.kit.advance(MINUTE);
        }
        shop.kit.advance(MINUTE.multipliedBy(20));

        assertThat(IntStream.range(0, 288).filter(i -> i % 3 == 0))
                .allMatch(i -> status("order-" + i) == Status.COMPLETED);
        assertThat(IntStream.range(0, 288).filter(i -> i % 3 != 0))
                .allMatch(i -> status("order-" + i) == Status.CANCELLED);
        // Orders of the last twenty minutes are not paid any more.
        assertThat(refused).hasSize(95);
        assertThat(shop.unpaidFor(Duration.ofDays(1))).isEmpty();
    }

    /** Pays the order that was placed in a minute, if there is one. */
    private void pay(int placedIn, int ofThree, List<String> refused) {
        if (placedIn >= 0 && placedIn % 5 == 0 && placedIn / 5 % 3 == ofThree) {
            String orderId = "order-" + placedIn / 5;
            try {
                orders.recordPayment(orderId, 999);
                orders.complete(orderId);
            } catch (IllegalStateException e) {
                refused.add(orderId);
            }
        }
    }
}
