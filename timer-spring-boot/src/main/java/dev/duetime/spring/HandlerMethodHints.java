package dev.duetime.spring;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoRun;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.ResolvableType;

/**
 * What a native image must keep of a method with {@link OnTimer}, {@link OnSchedule} or {@link OnTodo}: the method, and
 * what JSON needs of its payload. Thread-safe.
 */
final class HandlerMethodHints implements ReflectiveProcessor {
    private static final Set<Class<?>> NO_PAYLOADS = Set.of(Envelope.class, DueTimeReached.class, TodoRun.class);

    private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            for (int i = 0; i < method.getParameterCount(); i++) {
                ResolvableType parameter = ResolvableType.forMethodParameter(method, i);
                Class<?> payload = (parameter.resolve() == Todo.class ? parameter.getGeneric() : parameter).resolve();
                if (payload != null && !NO_PAYLOADS.contains(payload)) {
                    payloads.registerReflectionHints(hints, payload);
                }
            }
        }
    }
}
