package dev.duetime.engine.settings;

import dev.duetime.StoredTimer;
import dev.duetime.UnknownTypeException;
import dev.duetime.internal.Inside;
import dev.duetime.internal.inside.KnownSteps;
import dev.duetime.internal.timer.TodoPayload;
import dev.duetime.internal.todo.TodoType;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Steps;
import dev.duetime.todo.TodoDelay;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a {@link dev.duetime.todo.TodoQueue}: hands each stored todo to the handler of its type. Thread-safe.
 */
public final class TypedHandler implements QueueHandler {
    private final Map<String, TodoType<?>> types;

    public TypedHandler(Map<String, TodoType<?>> types) {
        this.types = types;
    }

    @Override
    public Outcome handle(StoredTimer todo, TodoRun run) throws Exception {
        if (todo.content().step() == null) {
            return Outcome.giveUp("it is a timer without a step, and not a todo");
        }
        return run(known(todo), todo, run);
    }

    /** Checks the step without the payload: this version may be unable to read the payload of a newer one. */
    @Override
    public void check(StoredTimer todo) {
        String step = todo.content().step();
        if (step != null && known(todo).handler() instanceof Steps<?> steps) {
            Inside.of(steps, KnownSteps.class).check(step);
        }
    }

    private TodoType<?> known(StoredTimer todo) {
        TodoType<?> type = types.get(todo.content().type());
        if (type == null) {
            throw new UnknownTypeException(todo.content().type(), types.keySet());
        }
        return type;
    }

    private static <T> Outcome run(TodoType<T> type, StoredTimer stored, TodoRun run) throws Exception {
        Outcome outcome = type.handler().execute(StoredTodo.read(stored, type.payload()), run);
        Object next = outcome == null ? null : outcome.payload();
        if (next != null) {
            TodoPayload.check(type.name(), type.payload(), next);
        }
        return outcome;
    }

    @Override
    public boolean handles(String type) {
        return types.containsKey(type);
    }

    @Override
    public @Nullable Duration retryDelay(StoredTimer todo, Throwable error) {
        TodoType<?> type = types.get(todo.content().type());
        return type == null ? null : delay(type, todo, error);
    }

    private static <T> @Nullable Duration delay(TodoType<T> type, StoredTimer stored, Throwable error) {
        TodoDelay<T> delay = type.delay();
        return delay == null ? null : delay.after(StoredTodo.read(stored, type.payload()), error);
    }
}
