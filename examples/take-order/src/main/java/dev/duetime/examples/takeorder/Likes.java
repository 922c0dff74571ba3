package dev.duetime.examples.takeorder;

import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;

/** A queue that adds up the likes of a post and writes them once a minute, exactly once. Thread-safe. */
final class Likes {
    private static final String TYPE = "add-likes";

    private final Duration every;
    private final TodoQueue queue;

    /**
     * A number of likes.
     *
     * @param post which
     * @param number how many more
     */
    record More(String post, int number) {
        private More and(More other) {
            return new More(post, number + other.number);
        }
    }

    Likes(Duration every) {
        this.every = every;
        queue = TodoQueue.builder("likes")
                .type(
                        TYPE,
                        More.class,
                        (todo, run) -> {
                            Tables.addLikes(
                                    run.transaction(JdbcTransaction.class).connection(),
                                    todo.payload().post(),
                                    todo.payload().number());
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.collect(More::and)))
                .workers(2)
                .build();
    }

    TodoQueue queue() {
        return queue;
    }

    /** Likes a post. The parallel key lets one at a time write the row of a post. */
    void like(String post) {
        queue.enqueue(NewTodo.of(TYPE, new More(post, 1))
                .correlationKey(post)
                .parallelKey(post)
                .startAfter(every));
    }
}
