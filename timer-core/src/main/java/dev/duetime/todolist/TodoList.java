package dev.duetime.todolist;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.internal.ArgumentLimits;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.store.ListKey;
import dev.duetime.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps ids of what must be done by a time, and hands over those that are overdue whenever time has passed: the resilient
 * alternative to a timer for each case. What opens a case {@linkplain #add adds} its id, what closes it says {@link #done},
 * both best in {@linkplain #in the transaction} that opens or closes the case.
 *
 * <pre>{@code
 * TodoList<String> unpaid = TodoList.of("unpaid-orders");
 * PassageOfTime time = PassageOfTime.builder()
 *         .on(MinuteHasPassed.class, "unpaid-orders", unpaid.forEachOverdue((orderId, now) -> {
 *             orders.cancelUnpaid(orderId);
 *             return Verdict.DONE;
 *         }))
 *         .build();
 * Scheduler scheduler = Scheduler.builder().store(store).extension(unpaid).extension(time).build();
 *
 * unpaid.in(transaction).add(orderId, Duration.ofMinutes(15));
 * }</pre>
 *
 * <p>An item is one row, deleted when it is done. A list has as many items as you like; looking for what is overdue costs
 * one probe of an index. Lists of one name on one database are one list, in whatever process.
 *
 * <p>Used through the scheduler that it was added to, before or after that is started; where it was added to several, through
 * the one built last, also by ticks of the others: a list for each database. Thread-safe, if the functions of its ids are. The pattern is Mathias Verraes' "Passage of Time Event".
 *
 * @param <I> the type of ids
 */
public final class TodoList<I> implements ListItems<I>, SchedulerExtension {
    private final ItemIds<I> ids;

    // Mutable state, set whenever a scheduler is built.
    private volatile @Nullable Scheduler scheduler;

    private TodoList(ItemIds<I> ids) {
        this.ids = ids;
    }

    /**
     * Returns a list whose ids are text.
     *
     * @param name 1 to 64 characters without control characters
     * @throws IllegalArgumentException if the name is out of bounds
     */
    public static TodoList<String> of(String name) {
        return of(name, Function.identity(), Function.identity());
    }

    /**
     * Returns a list whose ids are of any type.
     *
     * @param name 1 to 64 characters without control characters
     * @param toText gives the text of an id, 1 to 255 characters without control characters, another one for each id
     * @param fromText gives the id of a text. If it throws in a tick, the item counts as failed
     * @throws IllegalArgumentException if the name is out of bounds
     */
    public static <I> TodoList<I> of(
            String name, Function<? super I, String> toText, Function<String, ? extends I> fromText) {
        ListKey.checkList(name);
        return new TodoList<>(new ItemIds<>(name, toText, fromText));
    }

    @Override
    public String name() {
        return "to-do list " + ids.list();
    }

    /** Needs nothing: it hangs on the ticks of others. */
    @Override
    public void configure(SchedulerBuilder builder) {}

    @Override
    public boolean tends() {
        return false;
    }

    /** Lets the list be used through this scheduler. */
    @Override
    public void attach(Scheduler built) {
        scheduler = built;
    }

    /**
     * Returns a view of this list that works inside a transaction of the caller's: what it adds and closes becomes visible
     * when the caller commits, and is undone when the caller rolls back.
     *
     * <p>As thread-safe as the transaction.
     *
     * @throws IllegalArgumentException if the store cannot join this kind of transaction
     * @throws IllegalStateException if the list was added to no scheduler
     */
    public ListItems<I> in(Transaction transaction) {
        Scheduler through = attached();
        return new ListView<>(ids, through.store().in(transaction).todos(), through.in(transaction));
    }

    @Override
    public void add(I id, Duration timeoutAfter) {
        own().add(id, timeoutAfter);
    }

    @Override
    public void add(I id, Instant overdueAt) {
        own().add(id, overdueAt);
    }

    @Override
    public void addAll(Map<? extends I, Instant> items) {
        own().addAll(items);
    }

    @Override
    public boolean done(I id) {
        return own().done(id);
    }

    @Override
    public int doneAll(Collection<? extends I> closed) {
        return own().doneAll(closed);
    }

    @Override
    public Stream<I> overdue(Instant now) {
        return own().overdue(now);
    }

    /**
     * Returns what hands over the items that are overdue at the time of an event, the oldest first, each on its own. To be
     * subscribed to whatever kinds of events; one list may hang on several, and several lists on one.
     *
     * <p>If the database fails, so does the handler of the event, and is called again. Items are handed over one after the
     * other by the thread that calls it: be quick, or other events of that queue wait.
     *
     * @throws IllegalArgumentException if {@code handler} is null
     */
    public PassageOfTime.Handler<TimeHasPassed> forEachOverdue(OverdueHandler<? super I> handler) {
        OverdueHandler<? super I> given = ArgumentLimits.given("handler", handler);
        return event -> onTick(event.now(), given);
    }

    /** Hands over what is overdue at the time of a tick. */
    public void onTick(Instant now, OverdueHandler<? super I> handler) throws InterruptedException {
        new ListTick<>(attached(), ids, handler, now).run();
    }

    /** Joins the transaction of the caller's thread, if the framework keeps one there. */
    private ListItems<I> own() {
        Scheduler through = attached();
        return through.callersTransaction()
                .map(this::in)
                .orElseGet(() -> new ListView<>(ids, through.store().todos(), through));
    }

    private Scheduler attached() {
        Scheduler through = scheduler;
        if (through == null) {
            throw new IllegalStateException(
                    "to-do list %s must be added to a scheduler, by extension(…), before it is used"
                            .formatted(ids.list()));
        }
        return through;
    }
}
