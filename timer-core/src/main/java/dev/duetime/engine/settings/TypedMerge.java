package dev.duetime.engine.settings;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Limits;
import dev.duetime.internal.timer.TodoPayload;
import dev.duetime.internal.todo.TodoType;
import dev.duetime.todo.Merge;
import dev.duetime.todo.Todo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link Merge} of a type of todos, asked about todos as they are stored.
 *
 * @param type the type
 * @param merge decides
 * @param <T> the type of payloads
 */
public record TypedMerge<T>(TodoType<T> type, Merge<T> merge) implements TimerMerge {
    private static final Logger LOG = LoggerFactory.getLogger(TypedMerge.class);

    /** Returns the merge of a type, null if it has none. */
    public static <T> @Nullable TimerMerge of(TodoType<T> type) {
        Merge<T> merge = type.merge();
        return merge == null ? null : new TypedMerge<>(type, merge);
    }

    @Override
    public Decision merge(StoredTimer waiting, StoredTimer arriving) {
        Todo<T> before;
        try {
            before = StoredTodo.read(waiting, type.payload());
        } catch (RuntimeException e) {
            // Its own run will fail. The arriving one is not at fault.
            LOG.debug("todo {} is not merged into {}, which cannot be read", arriving.key(), waiting.key());
            return new Decision.Insert();
        }
        Merge.Result<T> result = merge.merge(before, StoredTodo.read(arriving, type.payload()));
        Objects.requireNonNull(result, () -> "the merge of type " + type.name() + " returned nothing");
        Todo<T> kept = result.kept();
        if (kept == null) {
            return result.inserted() ? new Decision.Insert() : new Decision.Drop();
        }
        T payload = Limits.given("payload", kept.payload());
        TodoPayload.check(type.name(), type.payload(), payload);
        return new Decision.Keep(kept.startAt(), kept.expiresAt(), kept.priority(), payload);
    }
}
