package dev.duetime.spring;

import dev.duetime.Timer;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a bean that handles the timers of one type:
 *
 * <pre>{@code
 * @OnTimer("payment-timeout")
 * @Transactional
 * void cancel(PaymentTimeout timeout, Envelope envelope) {
 *     orders.cancelUnpaid(timeout.orderId());
 * }
 * }</pre>
 *
 * <p>The parameters are any of these, in any order: the payload, as a class of your own; the {@link
 * dev.duetime.Envelope}; the {@link dev.duetime.DueTimeReached}. The method must not be private. What it returns is
 * ignored, and what it throws counts as in {@link TimerHandler#handle}. The bean is looked up when the first timer
 * comes. So it may have {@link dev.duetime.Timers}, the scheduler or a todo queue injected without a cycle.
 *
 * <p>A malformed method makes the start of the application fail with an {@link IllegalStateException}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerMethodHints.class)
public @interface OnTimer {

    /** Returns the type of the timers; may contain placeholders such as <code>${orders.timeout-type}</code>. */
    String value();

    /** Returns the queue of the timers; {@value Timer#DEFAULT_QUEUE} by default. May contain placeholders. */
    String queue() default Timer.DEFAULT_QUEUE;
}
