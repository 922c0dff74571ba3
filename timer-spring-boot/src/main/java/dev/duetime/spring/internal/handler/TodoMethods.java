package dev.duetime.spring.internal.handler;

import dev.duetime.spring.OnTodo;
import dev.duetime.spring.TodoHandlers;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The methods with {@link OnTodo}. It creates none of the beans that have them. Thread-safe. */
public final class TodoMethods implements TodoHandlers {
    private final Map<String, Map<String, TodoMethod>> byQueueAndType;
    private final Set<TodoMethod> used = ConcurrentHashMap.newKeySet();

    /**
     * Finds the methods.
     *
     * @throws IllegalStateException if one is malformed, or two are for the same todos
     */
    public TodoMethods(ConfigurableListableBeanFactory beans) {
        Map<String, Map<String, TodoMethod>> found = new LinkedHashMap<>();
        BeanMethod.forEach(beans, OnTodo.class, (method, on) -> {
            TodoMethod added =
                    TodoMethod.of(BeanMethod.text(beans, on.queue()), BeanMethod.text(beans, on.type()), method);
            TodoMethod other = found.computeIfAbsent(added.queue(), unknown -> new LinkedHashMap<>())
                    .putIfAbsent(added.type(), added);
            if (other != null) {
                throw new StartRefusedException("todos of type %s on queue %s must have one handler but have %s and %s"
                        .formatted(added.type(), added.queue(), other.method().name(), method.name()));
            }
        });
        byQueueAndType = found;
    }

    @Override
    public TodoQueue.Builder queue(String name) {
        TodoQueue.Builder builder = TodoQueue.builder(name);
        byQueueAndType.getOrDefault(name, Map.of()).values().forEach(method -> {
            method.addTo(builder);
            used.add(method);
        });
        return builder;
    }

    @Override
    public <T> StepHandler<T> handler(String queue, String type, Class<T> payload) {
        TodoMethod method = byQueueAndType.getOrDefault(queue, Map.of()).get(type);
        if (method == null || method.payload() != payload) {
            throw new StartRefusedException(
                    "todos of type %s on queue %s must have a method with @OnTodo and payload %s"
                                    .formatted(type, queue, payload.getName())
                            + (method == null
                                    ? ""
                                    : " but have " + method.method().name()));
        }
        used.add(method);
        return method.handler(payload);
    }

    /**
     * Refuses methods that no queue calls.
     *
     * @throws IllegalStateException if there is one
     */
    public void checkUsed() {
        byQueueAndType.values().stream()
                .flatMap(types -> types.values().stream())
                .filter(method -> !used.contains(method))
                .findFirst()
                .ifPresent(unused -> {
                    throw new StartRefusedException(
                            "queue %s must be a bean, made by TodoHandlers.queue(\"%s\"), but nothing calls %s"
                                    .formatted(
                                            unused.queue(),
                                            unused.queue(),
                                            unused.method().name()));
                });
    }
}
