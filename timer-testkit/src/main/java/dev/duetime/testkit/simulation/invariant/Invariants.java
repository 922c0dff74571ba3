package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.internal.Errors;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.History;
import dev.duetime.testkit.simulation.run.Scenario;
import java.util.ArrayList;
import java.util.List;

/** The check of a history against all invariants. */
@Beta
public final class Invariants {
    private static final int LINES = 60;

    private final List<Invariant> all;

    private Invariants(List<Invariant> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Selects the invariants of a run that publishes timers.
     *
     * @param hints whether the store has hints between nodes
     * @param steadyBacklog whether all nodes have a backlog during the calm
     */
    public Invariants(Scenario scenario, boolean hints, boolean steadyBacklog) {
        this(of(scenario, hints, steadyBacklog));
    }

    private static List<Invariant> of(Scenario scenario, boolean hints, boolean steadyBacklog) {
        List<Invariant> all = new ArrayList<>(List.of(
                new StoreAnswers(),
                new UserAnswers(scenario.concurrency() > 1),
                new StableIds(),
                new NothingEarly(),
                new NothingLost(scenario),
                new OccurrencesFollow(scenario),
                new OnlyInFlight(scenario.concurrency() > 1),
                new OwnersOnly(),
                new CallsAtOnce(scenario.concurrency(), scenario.parallelKeyLimit()),
                new AttemptsCounted(),
                new SpentAttempts(),
                new FlagClear(),
                new ShardsServed(scenario.shards()),
                new RepeatsExcused()));
        // A tenant over its own limit is passed over, and in a steady backlog its timers may lie far behind others.
        if (scenario.hasLimits() && !scenario.limits().areOfParts() && !steadyBacklog) {
            all.add(new EachTenantInTurn());
        }
        // A timer that waits for a permit is late.
        all.add(scenario.hasLimits() ? new WithinLimits(scenario.limits()) : new PunctualInCalm(scenario, hints));
        if (steadyBacklog) {
            all.add(new RatesServed(scenario.limits()));
        }
        return all;
    }

    /**
     * Returns the invariants of a run with todos.
     *
     * @param own those that only todos have
     * @param checksStore whether to check the store itself as well
     */
    public static Invariants ofTodos(List<Invariant> own, int shards, boolean checksStore) {
        List<Invariant> all = new ArrayList<>(List.of(new OwnersOnly(), new NothingEarly()));
        all.addAll(own);
        all.addAll(List.of(new SpentAttempts(), new ShardsServed(shards)));
        if (checksStore) {
            all.add(new StoreAnswers());
        }
        return new Invariants(all);
    }

    /**
     * Checks the history of a run.
     *
     * @throws Violation if an invariant does not hold
     */
    public void check(History history) {
        Model model = new Model();
        for (Event event : history.events()) {
            try {
                all.forEach(each -> each.see(event, model));
            } catch (Violation e) {
                e.event = event;
                throw e;
            }
            model.apply(event);
        }
        all.forEach(each -> each.end(model));
    }

    /** Returns a message with the violation, the way to replay it, and the history of the timer. */
    public static String report(History history, Violation violation) {
        TimerKey key = violation.key;
        Event last = violation.event;
        List<String> lines = history.events().stream()
                .limit(last == null ? history.size() : last.number() + 1L)
                .filter(each -> key == null || each.concerns(key) || each.fact() instanceof Event.Life)
                .map(Event::toString)
                .toList();
        int from = Math.max(0, lines.size() - LINES);
        return "seed %d: %s%nreplay with -D%s=%d%nlast events%s:%n%s"
                .formatted(
                        history.seed(),
                        Errors.message(violation),
                        History.SEED_PROPERTY,
                        history.seed(),
                        key == null ? "" : " of " + key,
                        String.join(System.lineSeparator(), lines.subList(from, lines.size())));
    }
}
