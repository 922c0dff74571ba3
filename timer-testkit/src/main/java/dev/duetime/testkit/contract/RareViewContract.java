package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of the reads of what is rare among many timers: timers that recur, and to-do lists. */
abstract class RareViewContract extends ContractPart {
    private final String list = unique("l");

    RareViewContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void scheduledTimersThatRecurAreFoundAndNoOthers() {
        TimerSummary daily = TimerSummary.of(given(hourly("b")));
        given(timer("a"));
        given(hourly("ended"), TimerState.DEAD);
        given(hourly("cancelled"), TimerState.CANCELLED);

        assertThat(walk(tenant, 100)).containsExactly(daily);
    }

    @Test
    void pagesOfRecurringTimersShowEachTimerOnceAndOnlyThoseOfTheTenant() {
        List<TimerSummary> expected = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            expected.add(TimerSummary.of(given(hourly("r %02d".formatted(i)))));
            given(timer("t %02d".formatted(i)));
        }
        TimerSummary other = TimerSummary.of(given(
                timer(TimerKey.of(otherTenant, "r 05")).recurrence("every PT1H").catchUp(CatchUp.LATEST)));

        for (int limit : new int[] {1, 5, 12, 100}) {
            assertThat(walk(tenant, limit)).as("pages of %d", limit).containsExactlyElementsOf(expected);
        }
        assertThat(walk(otherTenant, 5)).containsExactly(other);
        assertThat(walk(null, 100)).contains(other).containsAll(expected);
        assertThatThrownBy(() -> views().recurring(null, null, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private TimerDraft hourly(String id) {
        return timer(id).recurrence("every PT1H").catchUp(CatchUp.LATEST);
    }

    private List<TimerSummary> walk(@Nullable String ofTenant, int limit) {
        List<TimerSummary> walked = new ArrayList<>();
        RecurringTimers page = views().recurring(ofTenant, null, limit);
        walked.addAll(page.timers());
        for (int i = 0; i < 1_000 && page.next() != null; i++) {
            page = views().recurring(ofTenant, page.next(), limit);
            walked.addAll(page.timers());
        }
        return walked;
    }

    @Test
    void aToDoListSaysHowManyAreOpenAndOverdueAndSinceWhen() {
        String other = unique("m");
        put(list, "a", NOW.minusSeconds(60));
        put(list, "b", NOW);
        put(list, "c", NOW.plus(TICK));
        put(other, "a", NOW.plusSeconds(5));

        assertThat(views().todoLists(NOW).stream()
                        .filter(each -> each.list().equals(list) || each.list().equals(other)))
                .containsExactlyInAnyOrder(
                        new TodoListSummary(
                                list, new BoundedCount(3, true), new BoundedCount(2, true), NOW.minusSeconds(60)),
                        new TodoListSummary(
                                other, new BoundedCount(1, true), new BoundedCount(0, true), NOW.plusSeconds(5)));

        store().todos().remove(List.of(new ListKey(other, "a")));
        assertThat(views().todoLists(NOW)).extracting(TodoListSummary::list).doesNotContain(other);
        assertThatThrownBy(() -> views().todoLists(Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itemsAreInTheOrderInWhichTheyAreOverdue() {
        IntStream.range(0, 7).forEach(i -> put(list, "id " + i, NOW.plusSeconds(i / 2)));
        put(unique("other"), "x", NOW);

        for (int limit : new int[] {1, 3, 7, 100}) {
            List<String> walked = new ArrayList<>();
            List<TodoListSummary.Item> page = views().todoItems(list, null, limit);
            while (!page.isEmpty() && walked.size() < 100) {
                page.forEach(item -> walked.add(item.id()));
                page = views().todoItems(list, page.get(page.size() - 1), limit);
            }
            assertThat(walked).containsExactly("id 0", "id 1", "id 2", "id 3", "id 4", "id 5", "id 6");
        }
        assertThat(views().todoItems(list, null, 1)).containsExactly(new TodoListSummary.Item("id 0", NOW));
        assertThatThrownBy(() -> views().todoItems(list, null, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private void put(String ofList, String id, Instant overdueAt) {
        store().todos().put(List.of(new ListItem(new ListKey(ofList, id), overdueAt)));
    }

    private TimerViews views() {
        return store().admin().views();
    }
}
