package dev.duetime.todolist;

import dev.duetime.internal.Limits;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.util.function.Function;

/**
 * The conversion between ids and their text.
 *
 * @param list the list of the ids
 */
record ItemIds<I>(String list, Function<? super I, String> toText, Function<String, ? extends I> fromText) {

    ListKey key(I id) {
        return new ListKey(list, toText.apply(Limits.given("id", id)));
    }

    I of(ListItem item) {
        return fromText.apply(item.key().id());
    }
}
