package dev.duetime.examples.unittesting;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A shop that cancels orders that are not paid in time. Thread-safe. */
public final class Orders {
    static final String PAYMENT_TIMEOUT = "payment-timeout";
    static final Duration TIME_TO_PAY = Duration.ofMinutes(15);

    private final Timers timers;
    private final Map<String, OrderState> orders = new ConcurrentHashMap<>();

    /** Creates a shop without orders. */
    public Orders(Timers timers) {
        this.timers = timers;
    }

    /** The state of an order. */
    public enum OrderState {
        /** Waits for its payment. */
        PLACED,
        /** Was paid in time. */
        PAID,
        /** Was not paid in time. */
        CANCELLED
    }

    /** The payload of the timeout. */
    record PaymentTimeout(String orderId) {}

    /** Places an order, which has fifteen minutes to be paid. */
    public void place(String orderId) {
        orders.put(orderId, OrderState.PLACED);
        timers.schedule(Timer.after(timer(orderId), TIME_TO_PAY)
                .type(PAYMENT_TIMEOUT)
                .payload(new PaymentTimeout(orderId))
                .build());
    }

    /** Pays an order, unless it is cancelled already. */
    public void pay(String orderId) {
        orders.computeIfPresent(orderId, (id, state) -> state == OrderState.PLACED ? OrderState.PAID : state);
        // Saves a delivery. If it is too late for that, on(…) finds the order paid.
        timers.cancel(timer(orderId));
    }

    /** Handles the event that a timer's time has come. May be called twice for one: delivery is at least once. */
    public void on(Envelope envelope) {
        if (envelope.type().equals(PAYMENT_TIMEOUT)) {
            String orderId = envelope.payload(PaymentTimeout.class).orderId();
            orders.computeIfPresent(orderId, (id, state) -> state == OrderState.PLACED ? OrderState.CANCELLED : state);
        }
    }

    /** Returns where an order stands. */
    public Optional<OrderState> state(String orderId) {
        return Optional.ofNullable(orders.get(orderId));
    }

    private static TimerKey timer(String orderId) {
        return TimerKey.of("order-" + orderId + "-payment");
    }
}
