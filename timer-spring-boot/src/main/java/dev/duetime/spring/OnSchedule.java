package dev.duetime.spring;

import dev.duetime.Timer;
import dev.duetime.recurrence.CatchUp;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a bean that is called again and again, once for all nodes, and at least once through crashes and
 * restarts:
 *
 * <pre>{@code
 * @OnSchedule(name = "reports", cron = "0 8 * * *", zone = "Europe/Berlin")
 * void sendReports() {
 *     reports.send();
 * }
 * }</pre>
 *
 * <p>It is a recurring timer, as {@link dev.duetime.handlers.Handlers.Builder#recurring} declares it. Exactly one of
 * {@link #cron} and {@link #every} is given. The parameters may be the {@link dev.duetime.Envelope} and the {@link
 * dev.duetime.DueTimeReached}. Otherwise like {@link OnTimer}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerMethodHints.class)
public @interface OnSchedule {

    /** Returns the name, which identifies the recurring timer across deploys: 1 to 100 characters. */
    String name();

    /**
     * Returns a cron expression of five fields: minute, hour, day of month, month, day of week. May contain
     * placeholders. Needs cron-utils, except for one time each day such as {@code 0 8 * * *}.
     */
    String cron() default "";

    /** Returns the zone whose clock counts for {@link #cron}; UTC by default. May contain placeholders. */
    String zone() default "UTC";

    /** Returns a duration, such as {@code PT10M} or {@code 10m}, 1 s or more. May contain placeholders. */
    String every() default "";

    /** Returns the queue of the timer; {@value Timer#DEFAULT_QUEUE} by default. May contain placeholders. */
    String queue() default Timer.DEFAULT_QUEUE;

    /** Returns the rule for occurrences that are missed while no node runs. */
    CatchUp catchUp() default CatchUp.LATEST;
}
