package dev.duetime.specification.todolist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import dev.duetime.todolist.ListItems;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of what a to-do list keeps and shows. */
class TodoListTest extends AttachedList {
    @Nested
    class Adding {
        @Test
        void anItemIsOverdueExactlyAfterItsTimeout() {
            list.add("a", MINUTE);

            assertThat(overdueIn(MINUTE.minus(TICK))).isEmpty();
            assertThat(overdueIn(MINUTE)).containsExactly("a");
        }

        @Test
        void aTimeoutCountsByTheClockOfTheScheduler() {
            kit.advance(Duration.ofDays(3));
            list.add("a", MINUTE);

            assertThat(list.overdue(kit.now().plus(MINUTE).minus(TICK))).isEmpty();
            kit.advance(MINUTE);
            assertThat(list.overdue(kit.now())).containsExactly("a");
        }

        @Test
        void anItemMayBeOverdueAtOnceOrBeforeItIsAdded() {
            list.add("now", Duration.ZERO);
            list.add("before", kit.now().minus(MINUTE));

            assertThat(overdueIn(Duration.ZERO)).containsExactly("before", "now");
        }

        @Test
        void anItemIsNeverOverdueEarlyThoughDatabasesKeepMicroseconds() {
            Instant at = kit.now().plusNanos(1);
            list.add("a", at);

            assertThat(list.overdue(at)).isEmpty();
            assertThat(list.overdue(kit.now().plus(TICK))).containsExactly("a");
        }

        @Test
        void anItemThatIsAddedAgainIsMovedEitherWay() {
            list.add("a", MINUTE);
            list.add("a", MINUTE.multipliedBy(2));
            assertThat(overdueIn(MINUTE)).isEmpty();

            list.add("a", kit.now().plus(TICK));
            assertThat(overdueIn(TICK)).containsExactly("a");
        }

        @Test
        void manyItemsAreReadInTheOrderOfTheirTimes() {
            list.addAll(IntStream.range(0, 250)
                    .boxed()
                    .collect(Collectors.toMap(i -> "i" + i, i -> kit.now().minus(TICK.multipliedBy(i)))));

            assertThat(kit.node(0).calls(StoreCall.PUT_TODOS)).isEqualTo(1);
            assertThat(list.overdue(kit.now()))
                    .containsExactlyElementsOf(IntStream.range(0, 250)
                            .mapToObj(i -> "i" + (249 - i))
                            .toList());
            assertThat(kit.node(0).calls(StoreCall.OVERDUE_TODOS)).isEqualTo(3);
        }

        @Test
        void readingTheFirstReadsOnePage() {
            list.addAll(IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(i -> "i" + i, i -> kit.now())));

            assertThat(list.overdue(kit.now()).findFirst()).isPresent();
            assertThat(list.overdue(kit.now()).limit(100)).hasSize(100);

            assertThat(kit.node(0).calls(StoreCall.OVERDUE_TODOS)).isEqualTo(2);
        }
    }

    @Nested
    class Closing {
        @Test
        void aClosedItemIsGone() {
            list.add("a", MINUTE);
            list.add("b", MINUTE);

            assertThat(list.done("a")).isTrue();

            assertThat(overdueIn(MINUTE)).containsExactly("b");
            assertThat(list.done("a")).isFalse();
        }

        @Test
        void closingAnUnknownItemDoesNothing() {
            assertThat(list.done("a")).isFalse();
        }

        @Test
        void manyItemsAreClosedAtOnceAndCounted() {
            list.addAll(Map.of("a", kit.now(), "b", kit.now(), "c", kit.now()));

            assertThat(list.doneAll(List.of("a", "c", "absent"))).isEqualTo(2);

            assertThat(overdueIn(MINUTE)).containsExactly("b");
        }
    }

    @Nested
    class InATransaction {
        private final InMemoryTransaction transaction = kit.begin();
        private final ListItems<String> joined = list.in(transaction);

        @Test
        void changesAreVisibleInsideOnlyUntilTheCommit() {
            list.add("old", MINUTE);

            joined.add("new", MINUTE);
            assertThat(joined.done("old")).isTrue();

            Instant later = kit.now().plus(MINUTE);
            assertThat(joined.overdue(later)).containsExactly("new");
            assertThat(list.overdue(later)).containsExactly("old");
            transaction.commit();
            assertThat(list.overdue(later)).containsExactly("new");
        }

        @Test
        void aRollbackLeavesTheListAsItWas() {
            list.add("old", MINUTE);
            joined.addAll(Map.of("new", kit.now(), "old", kit.now()));
            assertThat(joined.doneAll(List.of("new"))).isEqualTo(1);
            transaction.rollback();

            assertThat(overdueIn(Duration.ZERO)).isEmpty();
            assertThat(overdueIn(MINUTE)).containsExactly("old");
        }

        @Test
        void itemsCommitTogetherWithTimers() {
            joined.add("a", kit.now());
            kit.scheduler()
                    .in(transaction)
                    .schedule(Timer.after("timer", MINUTE).build());
            transaction.commit();

            assertThat(overdueIn(Duration.ZERO)).containsExactly("a");
            assertThat(kit.scheduler().find(TimerKey.of("timer"))).isPresent();
        }
    }

    @Nested
    class Ids {
        @Test
        void anyTypeMayBeAnId() {
            TodoList<UUID> ofUuids = attached(TodoList.of("uuids", UUID::toString, UUID::fromString));
            UUID id = new UUID(1, 2);

            ofUuids.add(id, MINUTE);

            assertThat(ofUuids.overdue(kit.now().plus(MINUTE))).containsExactly(id);
            assertThat(ofUuids.done(id)).isTrue();
        }

        @Test
        void listsOfTheSameNameAreOneList() {
            TodoList<String> same = TodoList.of("pending");
            same.attach(kit.addNode().scheduler());
            TodoList<String> other = attached(TodoList.of("Pending"));
            other.add("b", MINUTE);

            list.add("a", MINUTE);

            assertThat(same.overdue(kit.now().plus(MINUTE))).containsExactly("a");
            assertThat(other.done("a")).isFalse();
            assertThat(same.done("a")).isTrue();
            assertThat(overdueIn(MINUTE)).isEmpty();
        }
    }
}
