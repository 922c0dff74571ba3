package dev.duetime.spring.internal.handler;

import dev.duetime.spring.OnTodo;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.springframework.core.ResolvableType;

/**
 * A method with {@link OnTodo}. Immutable and thread-safe.
 *
 * @param queue the name of its queue
 * @param type the type of its todos
 * @param method what is called
 * @param payload the class of the payloads
 */
record TodoMethod(String queue, String type, BeanMethod method, Class<?> payload) {

    /**
     * Returns a checked method.
     *
     * @throws IllegalStateException if it is malformed
     */
    static TodoMethod of(String queue, String type, BeanMethod method) {
        method.check("todos");
        Class<?> result = method.method().getReturnType();
        if (result != void.class && result != Outcome.class) {
            throw new StartRefusedException(
                    "method that handles todos must return Outcome or nothing but returns %s: %s"
                            .formatted(result.getName(), method.name()));
        }
        return new TodoMethod(queue, type, method, payload(method));
    }

    private static Class<?> payload(BeanMethod method) {
        Set<Class<?>> payloads = new LinkedHashSet<>();
        int others = 0;
        for (int i = 0; i < method.method().getParameterCount(); i++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method.method(), i);
            Class<?> given = parameter.resolve(Object.class);
            if (given == Todo.class) {
                payloads.add(parameter.getGeneric().resolve(Object.class));
            } else if (given != TodoRun.class) {
                payloads.add(given);
                others++;
            }
        }
        if (payloads.size() != 1 || others > 1) {
            throw new StartRefusedException(("method that handles todos must have the payload, or the Todo with it, and"
                            + " at most TodoRun as parameters but has others: %s")
                    .formatted(method.name()));
        }
        return payloads.iterator().next();
    }

    /** Adds its type to a queue. */
    void addTo(TodoQueue.Builder builder) {
        add(builder, payload);
    }

    private <T> void add(TodoQueue.Builder builder, Class<T> of) {
        builder.type(type, of, handler(of));
    }

    <T> StepHandler<T> handler(Class<T> of) {
        return (todo, run) -> {
            Object outcome = method.call(parameter -> argument(parameter, todo, run));
            return method.method().getReturnType() == void.class
                    ? Outcome.complete()
                    : (Outcome) Objects.requireNonNull(outcome, "outcome");
        };
    }

    private static Object argument(Class<?> parameter, Todo<?> todo, TodoRun run) {
        if (parameter == Todo.class) {
            return todo;
        }
        return parameter == TodoRun.class ? run : Objects.requireNonNull(todo.payload(), "payload");
    }
}
