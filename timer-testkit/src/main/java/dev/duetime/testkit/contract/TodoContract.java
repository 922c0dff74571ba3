package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.internal.Micros;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that items of to-do lists are kept until they are removed, and are read once they are overdue, the oldest
 * first.
 */
abstract class TodoContract extends ContractPart {
    private static final int MANY = 1_000;

    final String list = unique("l");
    final String otherList = unique("l");

    TodoContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void anItemIsStoredToTheMicrosecond() {
        ListItem item = item("a", NOW.plus(TICK));

        put(item);

        assertThat(todos().find(item.key())).contains(item);
        assertThat(todos().find(new ListKey(list, "b"))).isEmpty();
        assertThat(todos().find(new ListKey(otherList, "a"))).isEmpty();
    }

    @Test
    void anItemOfAnyYearIsKept() {
        ListItem first = item("first", Instant.parse("0001-01-01T00:00:00Z"));
        ListItem last = item("last", Instant.parse("9999-12-31T23:59:59.999999Z"));

        put(last, first);

        assertThat(overdue(Instant.MAX)).containsExactly(first, last);
        assertThat(overdue(Instant.MIN)).isEmpty();
    }

    @Test
    void anItemThatIsPutAgainWithAnotherTimeIsMovedEitherWay() {
        ListItem other = item("other", NOW);
        put(item("a", NOW), other);

        put(item("a", NOW.plus(TICK)));
        assertThat(overdue(NOW)).containsExactly(other);
        assertThat(overdue(NOW.plus(TICK))).containsExactly(other, item("a", NOW.plus(TICK)));

        put(item("a", NOW.minus(TICK)));
        assertThat(overdue(NOW)).containsExactly(item("a", NOW.minus(TICK)), other);
    }

    @Test
    void anItemThatIsPutAgainWithTheSameTimeIsOneItem() {
        put(item("a", NOW));
        put(item("a", NOW));

        assertThat(overdue(NOW)).containsExactly(item("a", NOW));
        assertThat(remove("a")).isEqualTo(1);
        assertThat(overdue(NOW)).isEmpty();
    }

    @Test
    void theLastItemOfAKeyInABatchWins() {
        put(item("a", NOW), item("b", NOW), item("a", NOW.plus(TICK)));

        assertThat(overdue(Instant.MAX)).containsExactly(item("b", NOW), item("a", NOW.plus(TICK)));
    }

    @Test
    void anItemIsOverdueAtItsTimeAndNotAMicrosecondBefore() {
        put(item("a", NOW));

        assertThat(overdue(NOW.minus(TICK))).isEmpty();
        assertThat(overdue(NOW.minusNanos(1))).isEmpty();
        assertThat(overdue(NOW)).containsExactly(item("a", NOW));
    }

    @Test
    void onlyTheGivenListIsRead() {
        put(item("a", NOW), new ListItem(new ListKey(otherList, "b"), NOW.minus(TICK)));

        assertThat(overdue(NOW)).containsExactly(item("a", NOW));
        assertThat(todos().overdue(unique("l"), NOW, null, 10)).isEmpty();
    }

    @Test
    void listsAndIdsThatLookAlikeAreDifferent() {
        List<ListItem> alike = List.of(
                item("a", NOW),
                item("A", NOW),
                item("á", NOW),
                item("a ", NOW),
                item(" a", NOW),
                item("😀", NOW),
                new ListItem(new ListKey(list + " ", "a"), NOW),
                new ListItem(new ListKey(list.toUpperCase(Locale.ROOT), "a"), NOW));

        todos().put(alike);

        assertThat(overdue(NOW)).containsExactlyInAnyOrderElementsOf(alike.subList(0, 6));
        assertThat(alike)
                .allSatisfy(item -> assertThat(todos().find(item.key())).contains(item));
        assertThat(remove("a")).isEqualTo(1);
        assertThat(overdue(NOW)).hasSize(5);
    }

    @Test
    void keysOfTheGreatestLengthAreKept() {
        ListItem longest = new ListItem(new ListKey("😀".repeat(32), "é".repeat(255)), NOW);

        put(longest);

        assertThat(todos().find(longest.key())).contains(longest);
        assertThat(todos().removeUnmoved(List.of(longest))).isEqualTo(1);
    }

    @Test
    void pagesReturnTheOldestFirstWithoutGapOrRepeat() {
        List<ListItem> items = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            items.add(item("i%02d".formatted(i), NOW.minus(TICK.multipliedBy(i % 5))));
        }
        todos().put(items);
        put(item("later", NOW.plus(TICK)), new ListItem(new ListKey(otherList, "x"), NOW.minus(TICK)));

        List<ListItem> read = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        @Nullable ListItem last = null;
        List<ListItem> page;
        do {
            page = todos().overdue(list, NOW, last, 10);
            sizes.add(page.size());
            read.addAll(page);
            last = page.get(page.size() - 1);
        } while (page.size() == 10);

        assertThat(sizes).containsExactly(10, 10, 5);
        assertThat(read).containsExactlyInAnyOrderElementsOf(items);
        assertThat(read).extracting(ListItem::overdueAt).isSorted();
    }

    @Test
    void aPageBeginsAfterAnItemEvenIfItWasRemovedOrMoved() {
        put(item("a", NOW), item("b", NOW), item("c", NOW), item("d", NOW.plus(TICK)));
        remove("a");
        put(item("b", NOW.minus(TICK)));

        assertThat(todos().overdue(list, NOW, item("a", NOW), 10)).containsExactly(item("c", NOW));
        assertThat(todos().overdue(list, NOW, item("b", NOW), 10)).containsExactly(item("c", NOW));
        assertThat(todos().overdue(list, NOW, item("c", NOW), 10)).isEmpty();
        assertThat(todos().overdue(list, NOW.plus(TICK), item("c", NOW), 10)).hasSize(1);
    }

    @Test
    void aPageAfterAnItemThatIsNotYetOverdueIsEmpty() {
        put(item("a", NOW), item("b", NOW.plus(TICK)), item("c", NOW.plus(TICK)), item("d", NOW.plusSeconds(1)));

        assertThat(todos().overdue(list, NOW, item("b", NOW.plus(TICK)), 10)).isEmpty();
        assertThat(todos().overdue(list, NOW.plus(TICK), item("b", NOW.plus(TICK)), 10))
                .containsExactly(item("c", NOW.plus(TICK)));
    }

    @Test
    void onlyTheGivenItemsAreRemovedAndCounted() {
        ListItem ofOther = new ListItem(new ListKey(otherList, "a"), NOW);
        put(item("a", NOW), item("b", NOW.plus(TICK)), item("c", NOW), ofOther);

        assertThat(remove("a", "b", "absent")).isEqualTo(2);
        assertThat(remove("a")).isZero();

        assertThat(overdue(Instant.MAX)).containsExactly(item("c", NOW));
        assertThat(todos().find(ofOther.key())).contains(ofOther);
    }

    @Test
    void anItemThatWasMovedIsNotRemovedAsUnmoved() {
        put(item("same", NOW), item("later", NOW.plus(TICK)), item("earlier", NOW.minus(TICK)));

        int removed = todos().removeUnmoved(
                        List.of(item("same", NOW), item("later", NOW), item("earlier", NOW), item("absent", NOW)));

        assertThat(removed).isEqualTo(1);
        assertThat(overdue(Instant.MAX))
                .containsExactly(item("earlier", NOW.minus(TICK)), item("later", NOW.plus(TICK)));
    }

    @Test
    void emptyCallsAreLegalAndDoNothing() {
        todos().put(List.of());

        assertThat(todos().remove(List.of())).isZero();
        assertThat(todos().removeUnmoved(List.of())).isZero();
    }

    @Test
    void aThousandItemsArePutMovedAndRemovedAtOnce() {
        List<ListItem> items = many(NOW);

        todos().put(items);
        assertThat(todos().overdue(list, NOW, null, 2 * MANY)).hasSize(MANY);

        todos().put(many(NOW.plus(TICK)));
        assertThat(todos().overdue(list, NOW, null, 1)).isEmpty();
        assertThat(todos().removeUnmoved(items)).isZero();
        assertThat(todos().remove(items.stream().map(ListItem::key).toList())).isEqualTo(MANY);
    }

    @Test
    void oneOfSeveralConcurrentRemovalsRemovesAnItem() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            ListItem item = item("raced-" + round, NOW);
            put(item);

            List<Integer> counts = Race.of(
                    i -> () -> i % 2 == 0 ? todos().removeUnmoved(List.of(item)) : todos().remove(List.of(item.key())));

            assertThat(counts).containsOnlyOnce(1).containsOnly(0, 1);
        }
    }

    @Test
    void concurrentPutsLeaveOneItem() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "raced-" + round;

            Race.of(i -> () -> {
                put(item(id, NOW.plusSeconds(i)), item(id + "+", NOW.plusSeconds(i)));
                return i;
            });

            assertThat(remove(id, id + "+")).isEqualTo(2);
        }
    }

    private List<ListItem> many(Instant overdueAt) {
        return IntStream.range(0, MANY).mapToObj(i -> item("i" + i, overdueAt)).toList();
    }

    private ListStore todos() {
        return store().todos();
    }

    private ListItem item(String id, Instant overdueAt) {
        return new ListItem(new ListKey(list, id), Micros.ceil(overdueAt));
    }

    private void put(ListItem... items) {
        todos().put(List.of(items));
    }

    private int remove(String... ids) {
        return todos().remove(
                        List.of(ids).stream().map(id -> new ListKey(list, id)).toList());
    }

    private List<ListItem> overdue(Instant now) {
        return todos().overdue(list, now, null, 100);
    }
}
