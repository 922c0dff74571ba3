package dev.duetime.todo;

import dev.duetime.Beta;
import dev.duetime.UnknownTypeException;
import dev.duetime.internal.Inside;
import dev.duetime.internal.Limits;
import dev.duetime.internal.inside.KnownSteps;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A state machine: it hands a todo to the handler of its current step. A todo at an unknown step waits for a node
 * that knows the step, as {@link dev.duetime.SchedulerBuilder#unknownTypesFor} says. Immutable and thread-safe.
 *
 * <pre>{@code
 * Steps<Order> takeOrder = Steps.<Order>begin("store", this::store)
 *         .step("mail", this::mail)
 *         .terminal("done")
 *         .build();
 * }</pre>
 *
 * @param <T> the type of payloads
 */
@Beta
public final class Steps<T> implements StepHandler<T> {
    static {
        Inside.open(Steps.class, steps -> (KnownSteps) steps::check);
    }

    private final String first;
    private final Map<String, StepHandler<T>> handlers;
    private final Set<String> terminal;

    private Steps(String first, Map<String, StepHandler<T>> handlers, Set<String> terminal) {
        this.first = first;
        this.handlers = Map.copyOf(handlers);
        this.terminal = Set.copyOf(terminal);
    }

    /**
     * Begins a state machine with its first step. Todos that were enqueued without a step begin there.
     *
     * @throws IllegalArgumentException as {@link Builder#step}
     */
    public static <T> Builder<T> begin(String name, StepHandler<T> handler) {
        return new Builder<T>(name).step(name, handler);
    }

    @Override
    public Outcome execute(Todo<T> todo, TodoRun run) throws Exception {
        String step = known(todo.step());
        StepHandler<T> handler = handlers.get(step);
        if (handler == null) {
            check(step);
            return Outcome.complete();
        }
        Outcome outcome = handler.execute(todo, run);
        return outcome instanceof Outcome.Next next && terminal.contains(next.step()) ? Outcome.complete() : outcome;
    }

    private String known(String step) {
        return step.equals(NewTodo.FIRST_STEP) && !handlers.containsKey(NewTodo.FIRST_STEP) ? first : step;
    }

    private void check(String step) {
        if (!handlers.containsKey(known(step)) && !terminal.contains(step)) {
            throw UnknownTypeException.ofStep(step, handlers.keySet());
        }
    }

    /**
     * A builder of {@link Steps}. Not thread-safe.
     *
     * @param <T> the type of payloads
     */
    public static final class Builder<T> {
        private final String first;
        private final Map<String, StepHandler<T>> handlers = new LinkedHashMap<>();
        private final Set<String> terminal = new LinkedHashSet<>();

        private Builder(String first) {
            this.first = first;
        }

        /**
         * Adds a step. Its handler decides what comes next: {@link Outcome#next} names another step.
         *
         * @throws IllegalArgumentException if the name is null, empty, longer than 255 characters, has control
         *     characters or was given before; or if the handler is null
         */
        public Builder<T> step(String name, StepHandler<T> handler) {
            handlers.put(fresh(name), Limits.given("handler", handler));
            return this;
        }

        /**
         * Adds a step that ends the todo: a todo that moves to this step is complete.
         *
         * @throws IllegalArgumentException as {@link #step}
         */
        public Builder<T> terminal(String name) {
            terminal.add(fresh(name));
            return this;
        }

        private String fresh(String name) {
            String checked = Outcome.next(name).step();
            if (handlers.containsKey(checked) || terminal.contains(checked)) {
                throw new IllegalArgumentException("step must be given once but was again: " + checked);
            }
            return checked;
        }

        /** Returns the state machine; the builder may be used on. */
        public Steps<T> build() {
            return new Steps<>(first, handlers, terminal);
        }
    }
}
