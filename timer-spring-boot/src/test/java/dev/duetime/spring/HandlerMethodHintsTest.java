package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoRun;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** Tests of what a native image keeps of methods that handle timers and todos, and of their payloads. */
class HandlerMethodHintsTest {
    private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

    private final RuntimeHints hints = new RuntimeHints();

    HandlerMethodHintsTest() {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Handlers.class);
    }

    record Order(String id, Customer customer) {}

    record Customer(String name) {}

    record Mail(String to) {}

    static class Handlers {
        @OnTimer("order")
        void onTimer(Envelope envelope, Order order, DueTimeReached event) {}

        @OnSchedule(name = "reports", every = "1h")
        void onSchedule() {}

        @OnTodo(queue = "mails", type = "mail")
        void onTodo(Todo<Mail> mail, TodoRun run) {}

        void another() {}
    }

    @Test
    void theMethodsCanBeCalled() {
        assertThat(REFLECTION.onMethodInvocation(Handlers.class, "onTimer")).accepts(hints);
        assertThat(REFLECTION.onMethodInvocation(Handlers.class, "onSchedule")).accepts(hints);
        assertThat(REFLECTION.onMethodInvocation(Handlers.class, "onTodo")).accepts(hints);
        assertThat(REFLECTION.onMethodInvocation(Handlers.class, "another")).rejects(hints);
    }

    @Test
    void payloadsCanBeReadFromJsonWithWhatTheyAreMadeOf() {
        assertThat(REFLECTION.onMethodInvocation(Order.class, "id")).accepts(hints);
        assertThat(REFLECTION.onMethodInvocation(Customer.class, "name")).accepts(hints);
        assertThat(REFLECTION.onMethodInvocation(Mail.class, "to")).accepts(hints);
        assertThat(REFLECTION.onType(Envelope.class)).rejects(hints);
        assertThat(REFLECTION.onType(DueTimeReached.class)).rejects(hints);
        assertThat(REFLECTION.onType(TodoRun.class)).rejects(hints);
    }
}
