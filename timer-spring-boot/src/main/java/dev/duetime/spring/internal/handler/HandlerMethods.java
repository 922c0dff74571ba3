package dev.duetime.spring.internal.handler;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.spring.OnSchedule;
import dev.duetime.spring.OnTimer;
import dev.duetime.spring.internal.host.StartRefusedException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/**
 * The search for methods of beans with {@link OnTimer} or {@link OnSchedule}. It creates no bean: the bean of a method
 * is looked up when a timer comes.
 */
public final class HandlerMethods {
    private final ConfigurableListableBeanFactory beans;

    public HandlerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Adds all methods.
     *
     * @throws IllegalStateException if one is malformed
     */
    public void addTo(HandlerBeans handlers) {
        BeanMethod.forEach(
                beans,
                OnTimer.class,
                (method, on) ->
                        handlers.add(text(on.queue()), text(on.value()), method.name(), handler(method, true), null));
        BeanMethod.forEach(
                beans,
                OnSchedule.class,
                (method, on) -> handlers.add(
                        text(on.queue()),
                        text(on.name()),
                        method.name(),
                        handler(method, false),
                        recurrence(on, method)));
    }

    private static Handlers.Handler handler(BeanMethod method, boolean takesPayload) {
        long payloads = Arrays.stream(method.method().getParameterTypes())
                .filter(each -> each != Envelope.class && each != DueTimeReached.class)
                .count();
        method.check("timers");
        if (payloads > (takesPayload ? 1 : 0)) {
            throw new StartRefusedException(("method that handles timers must have %s, Envelope and"
                            + " DueTimeReached as parameters but has others: %s")
                    .formatted(takesPayload ? "at most one payload" : "only", method.name()));
        }
        return envelope -> method.call(type -> argument(type, envelope));
    }

    private static Object argument(Class<?> type, Envelope envelope) {
        if (type == Envelope.class) {
            return envelope;
        }
        return type == DueTimeReached.class ? envelope.event() : envelope.payload(type);
    }

    private String text(String value) {
        return BeanMethod.text(beans, value);
    }

    private Recurrence recurrence(OnSchedule on, BeanMethod method) {
        String cron = text(on.cron());
        String every = text(on.every());
        if (cron.isEmpty() == every.isEmpty()) {
            throw new StartRefusedException("@OnSchedule must have cron or every, one of them, but has %s: %s"
                    .formatted(cron.isEmpty() ? "none" : "both", method.name()));
        }
        try {
            Recurrence recurrence = cron.isEmpty()
                    ? Recurrence.every(duration(every))
                    : Recurrence.cron(cron, ZoneId.of(text(on.zone())));
            return recurrence.catchUp(on.catchUp());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new StartRefusedException("@OnSchedule cannot be read at " + method.name(), null, e);
        }
    }

    private static Duration duration(String text) {
        return DurationStyle.detectAndParse(text);
    }
}
