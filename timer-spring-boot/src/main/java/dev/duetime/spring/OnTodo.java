package dev.duetime.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a bean that runs the todos of one type:
 *
 * <pre>{@code
 * @OnTodo(queue = "mails", type = "welcome")
 * Outcome send(Welcome welcome, TodoRun run) {
 *     mailer.send(welcome);
 *     return Outcome.complete();
 * }
 * }</pre>
 *
 * <p>Its queue is a bean that {@link TodoHandlers#queue} builds. The parameters are any of these, in any order, with at
 * least one of the first two: the payload, as a class of your own; the {@link dev.duetime.todo.Todo} with that payload;
 * the {@link dev.duetime.todo.TodoRun}. The method returns an {@link dev.duetime.todo.Outcome}, or nothing, which
 * completes the todo. It must not be private. What it throws counts as in {@link
 * dev.duetime.todo.StepHandler#execute}. The bean is looked up when the first todo runs. So it may have its own queue
 * injected without a cycle.
 *
 * <p>A malformed method makes the start of the application fail with an {@link IllegalStateException}. So does one
 * whose queue is no bean.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerMethodHints.class)
public @interface OnTodo {

    /** Returns the name of the todo queue; may contain placeholders such as <code>${mails.queue}</code>. */
    String queue();

    /** Returns the type of the todos; may contain placeholders. */
    String type();
}
