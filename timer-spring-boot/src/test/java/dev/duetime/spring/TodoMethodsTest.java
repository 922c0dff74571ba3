package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.testkit.TestClock;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Methods of beans run todos, also of a bean that enqueues them. */
class TodoMethodsTest {
    private static final List<String> DONE = new ArrayList<>();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ApplicationContextRunner application = Applications.runner();

    TodoMethodsTest() {
        DONE.clear();
    }

    record Mail(String to) {}

    /** A service that enqueues and is called back. */
    static class Mails {
        private final TodoQueue mails;

        Mails(TodoQueue mails) {
            this.mails = mails;
        }

        void send(String to) {
            mails.enqueue(NewTodo.of("mail", new Mail(to)).id(to));
        }

        @OnTodo(queue = "${mails.queue}", type = "mail")
        @Transactional
        public Outcome sent(Todo<Mail> todo, TodoRun run, Mail mail) {
            DONE.add("%s %s %s"
                    .formatted(mail.to(), todo.id(), TransactionSynchronizationManager.isActualTransactionActive()));
            if (mail.to().equals("fails") && todo.attempts() == 0) {
                throw new IllegalStateException("once");
            }
            mails.enqueue(NewTodo.of("receipt", mail.to()), run);
            return Outcome.complete();
        }

        @OnTodo(queue = "mails", type = "receipt")
        void receipt(String to) {
            DONE.add("receipt " + to);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MailQueue {
        @Bean
        TodoQueue mailQueue(TodoHandlers handlers) {
            return handlers.queue("mails").build();
        }
    }

    private ApplicationContextRunner mails() {
        return application
                .withBean(Mails.class)
                .withUserConfiguration(MailQueue.class)
                .withPropertyValues("mails.queue=mails");
    }

    @Test
    void aServiceThatEnqueuesIsCalledBackThroughItsProxyWithoutACycle() {
        mails().run(context -> {
            context.getBean(Mails.class).send("u-17");

            context.getBean(TestClock.class).advance(MINUTE);

            assertThat(DONE).containsExactly("u-17 u-17 true", "receipt u-17");
        });
    }

    @Test
    void aMethodThatThrowsIsCalledAgain() {
        mails().run(context -> {
            context.getBean(Mails.class).send("fails");

            context.getBean(TestClock.class).advance(MINUTE);

            assertThat(DONE).containsExactly("fails fails true", "fails fails true", "receipt fails");
        });
    }

    static class Likes {
        @OnTodo(queue = "likes", type = "count")
        void count(Todo<Integer> likes) {
            DONE.add("likes " + likes.payload());
        }
    }

    @Test
    void aTypeMayHaveSettingsOfItsOwn() {
        application
                .withBean(Likes.class)
                .withBean(
                        TodoQueue.class,
                        () -> TodoQueue.builder("none")
                                .type("none", String.class, (todo, run) -> Outcome.complete())
                                .build())
                .withUserConfiguration(LikeQueue.class)
                .run(context -> {
                    TodoQueue likes = context.getBean("likeQueue", TodoQueue.class);
                    likes.enqueue(NewTodo.of("count", 3).correlationKey("post").startAfter(MINUTE));
                    likes.enqueue(NewTodo.of("count", 4).correlationKey("post").startAfter(MINUTE));

                    context.getBean(TestClock.class).advance(MINUTE);

                    assertThat(DONE).containsExactly("likes 7");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class LikeQueue {
        @Bean
        TodoQueue likeQueue(TodoHandlers handlers) {
            return TodoQueue.builder("likes")
                    .type(
                            "count",
                            Integer.class,
                            handlers.handler("likes", "count", Integer.class),
                            type -> type.merge(Merge.collect(Integer::sum)))
                    .build();
        }
    }

    static class TwoPayloads {
        @OnTodo(queue = "q", type = "t")
        void run(Mail mail, String other) {}
    }

    static class OtherPayload {
        @OnTodo(queue = "q", type = "t")
        void run(Todo<Mail> mail, String other) {}
    }

    static class NoPayload {
        @OnTodo(queue = "q", type = "t")
        void run(TodoRun run) {}
    }

    static class PrivateMethod {
        @OnTodo(queue = "q", type = "t")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by its annotation, if it were not private
        private void run(Mail mail) {}
    }

    static class OtherResult {
        @OnTodo(queue = "q", type = "t")
        String run(Mail mail) {
            return mail.to();
        }
    }

    static class NoQueue {
        @OnTodo(queue = "q", type = "t")
        void run(Mail mail) {}
    }

    static class TwiceOneType {
        @OnTodo(queue = "q", type = "t")
        void one(Mail mail) {}

        @OnTodo(queue = "q", type = "t")
        void other(Mail mail) {}
    }

    @Test
    void aMethodThatCannotRunIsRefusedByItsName() {
        refused(TwoPayloads.class, "must have the payload, or the Todo with it, and at most TodoRun as parameters");
        refused(OtherPayload.class, "must have the payload, or the Todo with it, and at most TodoRun as parameters");
        refused(NoPayload.class, "must have the payload, or the Todo with it, and at most TodoRun as parameters");
        refused(PrivateMethod.class, "must not be private or static");
        refused(OtherResult.class, "must return Outcome or nothing but returns java.lang.String");
        refused(NoQueue.class, "queue q must be a bean, made by TodoHandlers.queue(\"q\"), but nothing calls ");
        refused(TwiceOneType.class, "todos of type t on queue q must have one handler but have ");
    }

    private void refused(Class<?> bean, String message) {
        application.withBean(bean).run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).as(bean.getSimpleName()).isNotNull();
            assertThat(failure).hasStackTraceContaining(message);
            assertThat(failure).hasStackTraceContaining(bean.getName() + "#");
        });
    }
}
