package dev.duetime.passage;

import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import java.util.function.Function;

/**
 * Turns ids into text and back.
 *
 * @param list the list that they are ids on
 */
record TodoIds<I>(String list, Function<? super I, String> toText, Function<String, ? extends I> fromText) {

    TodoKey key(I id) {
        return new TodoKey(list, toText.apply(ArgumentLimits.given("id", id)));
    }

    I of(TodoItem item) {
        return fromText.apply(item.key().id());
    }
}
