package dev.duetime.spring;

import dev.duetime.Envelope;
import dev.duetime.Timer;

/**
 * A bean that handles the timers of one type:
 *
 * <pre>{@code
 * @Component
 * class PaymentTimeouts implements TimerHandler {
 *     public String type() {
 *         return "payment-timeout";
 *     }
 *
 *     @Transactional
 *     public void handle(Envelope envelope) {
 *         orders.cancelUnpaid(envelope.payload(PaymentTimeout.class).orderId());
 *     }
 * }
 * }</pre>
 *
 * <p>Called at least once for each timer, by one thread a queue: what takes long belongs on a queue of its own. A timer
 * whose type has no handler on its queue waits for a node that has one, as {@link dev.duetime.UnknownTypeException}
 * says. To schedule in a handler, inject {@link dev.duetime.Timers}.
 */
public interface TimerHandler {

    /** Returns the type of the timers that this handler gets; always the same. */
    String type();

    /** Returns the queue of these timers; always the same, and {@value Timer#DEFAULT_QUEUE} by default. */
    default String queue() {
        return Timer.DEFAULT_QUEUE;
    }

    /**
     * Handles a timer whose time has come. After it returns, the timer is reached.
     *
     * @throws dev.duetime.PostponedException to get the timer again later, without a failure
     * @throws Exception if it failed: the timer is retried by its retry policy, and the others of the batch are still
     *     handled
     */
    void handle(Envelope envelope) throws Exception;
}
