package dev.duetime.examples.springboot;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A store for orders that schedules the timers of their payments in the same transactions. */
@Service
class Orders {
    private final JdbcClient jdbc;
    private final Timers timers;
    private final Duration paymentTimeout;

    Orders(JdbcClient jdbc, Timers timers, OrdersProperties properties) {
        this.jdbc = jdbc;
        this.timers = timers;
        this.paymentTimeout = properties.paymentTimeout();
    }

    /** Places an order; its timer is there if and only if the order is. */
    @Transactional
    void place(String id) {
        timers.schedule(Timer.after(key(id), paymentTimeout)
                .type(PaymentTimeouts.TYPE)
                .payload(new PaymentTimeout(id))
                .build());
        jdbc.sql("INSERT INTO orders (id, state) VALUES (?, 'PLACED')")
                .param(id)
                .update();
    }

    /** Notes the payment; returns whether the order was still waiting for it. */
    @Transactional
    boolean pay(String id) {
        boolean paid = change(id, "PAID");
        if (paid) {
            timers.cancel(key(id));
        }
        return paid;
    }

    /** Cancels the order unless it was paid; a repeat changes nothing. */
    @Transactional
    boolean cancelUnpaid(String id) {
        return change(id, "CANCELLED");
    }

    /** Returns the state of an order. */
    Optional<String> state(String id) {
        return jdbc.sql("SELECT state FROM orders WHERE id = ?")
                .param(id)
                .query(String.class)
                .optional();
    }

    private boolean change(String id, String state) {
        return jdbc.sql("UPDATE orders SET state = ? WHERE id = ? AND state = 'PLACED'")
                        .params(state, id)
                        .update()
                > 0;
    }

    private static TimerKey key(String id) {
        return TimerKey.of("order-" + id);
    }
}
