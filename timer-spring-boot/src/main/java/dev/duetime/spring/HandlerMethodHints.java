package dev.duetime.spring;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * What a native image must keep of a method with {@link OnTimer} or {@link OnSchedule}: the method, and what JSON needs
 * of its payload. Thread-safe.
 */
final class HandlerMethodHints implements ReflectiveProcessor {
    private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            for (Class<?> parameter : method.getParameterTypes()) {
                if (parameter != Envelope.class && parameter != DueTimeReached.class) {
                    payloads.registerReflectionHints(hints, parameter);
                }
            }
        }
    }
}
