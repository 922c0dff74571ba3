package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.spring.console.DuetimeHints;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Tests of what a native image keeps: methods that handle timers, their payloads, and classes that are looked for. */
class HintsTest {

    record Invoice(String number, Customer customer) {}

    record Customer(String name) {}

    static class Billing {
        @OnTimer("invoice")
        void remind(Invoice invoice, Envelope envelope, DueTimeReached event) {}

        @OnSchedule(name = "reports", every = "1h")
        void report() {}

        void other(Customer customer) {}
    }

    record Mail(Address to) {}

    record Address(String mailbox) {}

    static class Mails {
        @OnTodo(queue = "mails", type = "mail")
        Outcome send(Todo<Mail> mail, TodoRun run) {
            return Outcome.complete();
        }
    }

    private static RuntimeHints hintsOf(Class<?> bean) {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, bean);
        return hints;
    }

    @Test
    void methodsThatHandleTimersCanBeCalled() {
        RuntimeHints hints = hintsOf(Billing.class);

        assertThat(reflection().onMethodInvocation(Billing.class, "remind")).accepts(hints);
        assertThat(reflection().onMethodInvocation(Billing.class, "report")).accepts(hints);
        assertThat(reflection().onMethodInvocation(Billing.class, "other")).rejects(hints);
    }

    @Test
    void payloadsOfMethodsCanBeReadFromJson() {
        RuntimeHints hints = hintsOf(Billing.class);

        for (Class<?> payload : List.of(Invoice.class, Customer.class)) {
            assertThat(reflection().onType(payload)).accepts(hints);
            assertThat(hints.reflection().getTypeHint(payload))
                    .isNotNull()
                    .satisfies(hint -> assertThat(hint.getMemberCategories()).isNotEmpty());
        }
        assertThat(hints.reflection().getTypeHint(Envelope.class)).isNull();
    }

    @Test
    void methodsThatRunTodosCanBeCalledAndTheirPayloadsRead() {
        RuntimeHints hints = hintsOf(Mails.class);

        assertThat(reflection().onMethodInvocation(Mails.class, "send")).accepts(hints);
        assertThat(reflection().onType(Mail.class)).accepts(hints);
        assertThat(reflection().onType(Address.class)).accepts(hints);
        assertThat(List.of(Todo.class, TodoRun.class, Outcome.class))
                .allSatisfy(
                        ours -> assertThat(hints.reflection().getTypeHint(ours)).isNull());
    }

    @Test
    void springFindsOurHints() {
        assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                        .load(RuntimeHintsRegistrar.class))
                .hasAtLeastOneElementOfType(DuetimeHints.class);
    }
}
