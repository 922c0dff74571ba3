package dev.duetime.examples.springboot;

import dev.duetime.Envelope;
import dev.duetime.spring.TimerHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Component;

/** The handler of payment timeouts. A native image keeps what JSON needs of the payload. */
@RegisterReflectionForBinding(PaymentTimeout.class)
@Component
class PaymentTimeouts implements TimerHandler {
    static final String TYPE = "payment-timeout";

    private static final Logger LOG = LoggerFactory.getLogger(PaymentTimeouts.class);

    private final Orders orders;

    PaymentTimeouts(Orders orders) {
        this.orders = orders;
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public void handle(Envelope envelope) {
        String orderId = envelope.payload(PaymentTimeout.class).orderId();
        if (orders.cancelUnpaid(orderId)) {
            LOG.info(
                    "order {} was not paid and is cancelled, {} ms late",
                    orderId,
                    envelope.event().lateness().toMillis());
        }
    }
}
