package dev.duetime.spring;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * The search for methods of beans with {@link OnTimer} or {@link OnSchedule}. It creates no bean: the bean of a method
 * is looked up when a timer comes.
 */
final class HandlerMethods {
    private final ConfigurableListableBeanFactory beans;

    HandlerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Adds all methods.
     *
     * @throws IllegalStateException if one is malformed
     */
    void addTo(HandlerBeans handlers) {
        for (String name : beans.getBeanDefinitionNames()) {
            if (ScopedProxyUtils.isScopedTarget(name)) {
                continue;
            }
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, List.of(OnTimer.class, OnSchedule.class))) {
                add(name, type, handlers);
            }
        }
    }

    private void add(String bean, Class<?> type, HandlerBeans handlers) {
        Map<Method, OnTimer> timers =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OnTimer>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OnTimer.class));
        timers.forEach((method, on) -> {
            HandlerMethod handler = new HandlerMethod(beans, bean, checked(method, true));
            handlers.add(text(on.queue()), text(on.value()), name(method), handler, null);
        });
        Map<Method, OnSchedule> schedules =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OnSchedule>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OnSchedule.class));
        schedules.forEach((method, on) -> {
            Handlers.Handler handler = new HandlerMethod(beans, bean, checked(method, false));
            handlers.add(text(on.queue()), text(on.name()), name(method), handler, recurrence(on, method));
        });
    }

    private static Method checked(Method method, boolean takesPayload) {
        long payloads = Arrays.stream(method.getParameterTypes())
                .filter(each -> each != Envelope.class && each != DueTimeReached.class)
                .count();
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw new IllegalStateException(
                    "method that handles timers must not be private or static but is: " + name(method));
        }
        if (payloads > (takesPayload ? 1 : 0)) {
            throw new IllegalStateException(("method that handles timers must have %s, Envelope and"
                            + " DueTimeReached as parameters but has others: %s")
                    .formatted(takesPayload ? "at most one payload" : "only", name(method)));
        }
        return method;
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getName() + "#" + method.getName();
    }

    private String text(String value) {
        return Objects.requireNonNullElse(beans.resolveEmbeddedValue(value), value);
    }

    private Recurrence recurrence(OnSchedule on, Method method) {
        String cron = text(on.cron());
        String every = text(on.every());
        if (cron.isEmpty() == every.isEmpty()) {
            throw new IllegalStateException("@OnSchedule must have cron or every, one of them, but has %s: %s"
                    .formatted(cron.isEmpty() ? "none" : "both", name(method)));
        }
        try {
            Recurrence recurrence = cron.isEmpty()
                    ? Recurrence.every(duration(every))
                    : Recurrence.cron(cron, ZoneId.of(text(on.zone())));
            return recurrence.catchUp(on.catchUp());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalStateException("@OnSchedule cannot be read at " + name(method) + ": " + e.getMessage(), e);
        }
    }

    private static Duration duration(String text) {
        return DurationStyle.detectAndParse(text);
    }
}
