package dev.duetime.todolist;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.internal.Limits;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A list of ids that must be done by a time. Whenever time has passed, it hands the overdue ids to a handler. It is the
 * resilient alternative to a timer for each case. The code that opens a case {@linkplain #add adds} its id, and the
 * code that closes it calls {@link #done}; both best in {@linkplain #in the transaction} that opens or closes the case.
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
 * <p>An item is one row, which is deleted when it is done. A list may have any number of items: finding the overdue
 * ones costs one probe of an index. Lists with the same name on one database are one list, in all processes.
 *
 * <p>A list works through the scheduler that it was added to, before or after that is started. If it was added to
 * several schedulers, it works through the one that was built last, also on ticks of the others; so use one list for
 * each database. Thread-safe, if the functions of its ids are. The pattern is Mathias Verraes' "Passage of Time Event".
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
     * @param toText returns the text of an id: 1 to 255 characters without control characters, different for each id
     * @param fromText returns the id of a text. If it throws in a tick, the item counts as failed
     * @throws IllegalArgumentException if the name is out of bounds, or a function is null
     */
    public static <I> TodoList<I> of(
            String name, Function<? super I, String> toText, Function<String, ? extends I> fromText) {
        Limits.name("list", name, Limits.QUEUE_LENGTH);
        Limits.given("toText", toText);
        Limits.given("fromText", fromText);
        return new TodoList<>(new ItemIds<>(name, toText, fromText));
    }

    @Override
    public String name() {
        return "to-do list " + ids.list();
    }

    /** Changes no setting: the list runs on ticks that others subscribe to. */
    @Override
    public void configure(SchedulerBuilder builder) {}

    @Override
    public boolean needsMaintenance() {
        return false;
    }

    /** Connects the list with a scheduler. */
    @Override
    public void attach(Scheduler built) {
        scheduler = built;
    }

    /**
     * Returns a view of this list inside a caller's transaction. Its changes become visible when the caller commits,
     * and are undone when the caller rolls back. As thread-safe as the transaction.
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
     * Returns a handler of events that hands over the items overdue at the time of the event, the oldest first, one at
     * a time. Subscribe it to any kinds of events. One list may use several kinds of events, and several lists may use
     * one.
     *
     * <p>If the database fails, the handler of the event fails and is called again. The thread that calls it hands over
     * the items one after the other. So be quick, or other events of that queue wait.
     *
     * @throws IllegalArgumentException if {@code handler} is null
     */
    public PassageOfTime.Handler<TimeHasPassed> forEachOverdue(OverdueHandler<? super I> handler) {
        OverdueHandler<? super I> given = Limits.given("handler", handler);
        return event -> onTick(event.now(), given);
    }

    /**
     * Hands over the items that are overdue at the time of a tick.
     *
     * @throws InterruptedException if the thread was interrupted during a call of the handler: the rest is left for the
     *     next tick, and the interrupt flag stays
     */
    public void onTick(Instant now, OverdueHandler<? super I> handler) throws InterruptedException {
        new ListTick<>(attached(), ids, handler, now).run();
    }

    /**
     * Returns the items in the transaction of the caller's thread, if a framework keeps one there, else in transactions
     * of their own.
     */
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
