package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the input that to-do lists refuse. */
class TodoListInputTest extends AttachedList {
    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "a\nb", "\ud800"})
    void idsThatADatabaseWouldChangeAreRefused(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add(id, MINUTE))
                .withMessageStartingWith("id must not ");
        assertThatIllegalArgumentException().isThrownBy(() -> list.add(id, kit.now()));
        assertThatIllegalArgumentException().isThrownBy(() -> list.done(id));
    }

    @Test
    void anIdThatIsTooLongIsRefusedNamingLimitAndLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("x".repeat(256), MINUTE))
                .withMessageStartingWith("id must be at most 255 characters but was 256: 'xxx");
    }

    @Test
    @SuppressWarnings("NullAway") // The test is about this argument.
    void nothingMayBeNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add(null, MINUTE))
                .withMessage("id must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", (Duration) null))
                .withMessage("timeoutAfter must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", (Instant) null))
                .withMessage("overdueAt must not be null");
        assertThatIllegalArgumentException().isThrownBy(() -> list.done(null)).withMessage("id must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.overdue(null))
                .withMessage("now must not be null");
        assertThatIllegalArgumentException().isThrownBy(() -> TodoList.of(null)).withMessage("list must not be null");
        TodoList<String> mute = attached(TodoList.of("ids", id -> null, id -> id));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mute.add("a", MINUTE))
                .withMessage("id must not be null");
    }

    @Test
    void aTimeoutOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", Duration.ofNanos(-1)))
                .withMessage("timeoutAfter must be at least PT0S but was PT-0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", Duration.ofDays(3_650_001)))
                .withMessageStartingWith("timeoutAfter must be at most PT87600000H but was ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", Duration.ofDays(3_650_000)))
                .withMessageStartingWith("overdueAt must be between 0001-01-01T00:00:00Z and ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> list.add("a", Instant.MAX))
                .withMessageStartingWith("overdueAt must be between 0001-01-01T00:00:00Z and ");
    }

    @Test
    void aListWithoutASchedulerIsRefusedWithTheReason() {
        assertThatIllegalStateException()
                .isThrownBy(() -> TodoList.of("lonely").add("a", MINUTE))
                .withMessage("to-do list lonely must be added to a scheduler, by extension(…), before it is used");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\tb"})
    void aNameThatADatabaseWouldChangeIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TodoList.of(name))
                .withMessageStartingWith("list must not ");
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TodoList.of("l".repeat(65)))
                .withMessageStartingWith("list must be at most 64 characters but was 65: 'lll");
    }

    @Test
    void nothingIsWrittenIfOneOfManyIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> list.addAll(Map.of("a", kit.now(), "", kit.now())));
        list.add("b", MINUTE);
        assertThatIllegalArgumentException().isThrownBy(() -> list.doneAll(List.of("b", "")));

        assertThat(overdueIn(MINUTE)).containsExactly("b");
    }
}
