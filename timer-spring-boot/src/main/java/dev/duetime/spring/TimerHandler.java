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

    /** Returns the type of timers that it handles; always the same. */
    String type();

    /** Returns the queue that they are scheduled on, always the same; {@value Timer#DEFAULT_QUEUE} by default. */
    default String queue() {
        return Timer.DEFAULT_QUEUE;
    }

    /**
     * Does what is to be done when the timer's time has come. Returning means that it is done, and the timer is
     * reached.
     *
     * @throws dev.duetime.PostponedException to be given it again later, without a failure
     * @throws Exception if it failed: the timer is tried again as its retry policy says, the others of the batch go on
     */
    void handle(Envelope envelope) throws Exception;
}
