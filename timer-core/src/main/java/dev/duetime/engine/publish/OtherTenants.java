package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.BacklogSweep;
import dev.duetime.engine.lanes.FoundTimers;
import dev.duetime.engine.lanes.PassedOver;
import dev.duetime.engine.lanes.SearchLevels;
import dev.duetime.engine.lanes.SearchPace;
import dev.duetime.engine.lanes.TenantSearch;
import dev.duetime.engine.looks.KeyedSearch;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for due timers of tenants that wait behind the backlog of others. While a read is full, further reads
 * leave out the tenants that fill it. One part of them follows the present, so that a timer is found when it becomes
 * due. The other part goes through the backlog step by step. In each part a read that is full is followed by another
 * one, which also leaves out the tenants that fill the first. Each part takes a bounded share of the time. Between two
 * batches of a turn, a single read asks whether the turn should end. Used by the loop's thread.
 */
final class OtherTenants {
    private static final Logger LOG = LoggerFactory.getLogger(OtherTenants.class);

    /** A timer that becomes visible later than this after its due time is found by the search of the backlog. */
    private static final Duration LATEST = Duration.ofSeconds(1);

    /** From how long before the first read of a backlog on the present is searched. */
    private static final Duration BEFORE_SEEN = Duration.ofMillis(250);

    /** Between two batches it matters only whether there are timers. Those with parallel keys must not hide others. */
    private static final int MOST_BETWEEN_BATCHES = 16;

    private final Clock clock;
    private final SearchPace pace;
    private final SearchLevels present = new SearchLevels(false);
    private final BacklogSweep sweep;
    private final PassedOver passed = new PassedOver();

    private boolean isBacklog;
    private long searchAtNanos;

    /** Whether the last search of the present broke off, so that the next one repeats it. */
    private boolean presentBroke;

    /** When the last read was. What the loop is told of now became visible after that. */
    private Instant readAt = Instant.MIN;

    /** The part that finds timers with a parallel key, once the others have found one of that key. */
    private final KeyedSearch keyed;

    /** What it has found last. */
    private List<StoredTimer> foundKeyed = List.of();

    /** What the last search has found, until it is noted which of these timers were not published. */
    private FoundTimers found = new FoundTimers();

    /** The timers of {@link #found} that may be delivered in this turn. */
    private List<StoredTimer> deliverable = List.of();

    /** How many timers the last search and the one before have found for delivery. */
    private int foundLast;

    private int foundBefore;

    /** The search that continues between the batches of this turn; null if nothing is left after its read. */
    private @Nullable TenantSearch between;

    private Set<String> filling = Set.of();

    OtherTenants(Clock clock) {
        this.clock = clock;
        pace = new SearchPace(clock);
        sweep = new BacklogSweep(clock, pace);
        keyed = new KeyedSearch(clock, pace);
    }

    /**
     * Searches if the read is full, within its share of the time. If a part of the search fails, for example because
     * its statement took longer than the database allows, the timers of the read go on, and that part rests.
     *
     * @param asked what was read
     * @param limit how many timers each read finds, at most
     * @param inCalls the timers that are in calls: a read returns them again
     */
    void search(
            ScheduleStore store, Claim claim, DueQuery asked, DueTimers read, int limit, List<StoredTimer> inCalls) {
        skip();
        List<String> tenants = TenantSearch.tenants(read);
        if (new HashSet<>(tenants).size() > 1) {
            pace.seesSeveral();
        }
        if (!read.more() || tenants.isEmpty()) {
            // A read that leaves types or tenants out says nothing of their backlog.
            isBacklog &= leavesOut(asked.but());
            return;
        }
        readAt = asked.now();
        if (!isBacklog) {
            begin(asked, read);
        }
        Instant again = passed.take(asked.but());
        if (again != null) {
            present.goBackTo(again);
        }
        filling = TenantSearch.filling(read, limit);
        sweep.noteFilling(filling);
        if (filling.isEmpty() || filling.size() > SearchLevels.MOST_LEFT_OUT) {
            return;
        }
        TenantSearch search = new TenantSearch(store, claim, asked, limit, keyed.waiting(), inCalls);
        long began = clock.nanoTime();
        boolean sweeps = sweep.isTime(began);
        if (began - searchAtNanos >= 0) {
            followPresent(search, began);
        }
        if (sweeps) {
            takeStep(search, oldest(read));
        }
        if (!claim.isStillOurs()) {
            // This read is abandoned. What it skipped is searched again.
            isBacklog = false;
            return;
        }
        between = search;
        keyed.want(found.timers());
        if (!leavesOut(asked.but())) {
            readKeys(search);
        }
        deliverable = found.besides(read, foundKeyed);
        found.rescheduled(read).forEach(this::findAgain);
        foundLast = deliverable.size();
        if (foundLast > 0) {
            pace.seesSeveral();
        }
    }

    private static boolean leavesOut(Exclusion but) {
        return !but.types().isEmpty() || !but.tenants().isEmpty();
    }

    /** Does not search for this read, but continues with the next one. */
    void skip() {
        // A turn broke off, and nothing is known of what it had found.
        left(Stream.concat(found.timers().stream(), foundKeyed.stream()).toList());
        foundBefore = foundLast;
        foundLast = 0;
        between = null;
    }

    private void begin(DueQuery asked, DueTimers read) {
        // The search of the backlog begins far back. What was due a moment before this read is found sooner here.
        present.startAt(asked.now().minus(BEFORE_SEEN));
        searchAtNanos = pace.first();
        sweep.begin(TenantSearch.end(read, asked.now()), asked.now(), searchAtNanos);
        presentBroke = false;
        keyed.begin();
        passed.clear();
        // Last: the next turn repeats a begin that broke off.
        isBacklog = true;
    }

    /** Reads what has become due since the last search. */
    private void followPresent(TenantSearch search, long began) {
        Instant now = search.asked().now();
        try {
            if (present.first().isBefore(now)) {
                passed.add(search.asked().but(), present.first());
                present.read(search, from -> now, filling, found);
            }
            presentBroke = false;
        } catch (StoreException e) {
            if (presentBroke) {
                // It may have gone back far. What it passes now is found by the search of the backlog.
                present.startAt(now);
            }
            presentBroke = !presentBroke;
            tellBroken(search, e);
        }
        searchAtNanos = restFrom(began, !found.timers().isEmpty());
    }

    private void takeStep(TenantSearch search, Instant oldest) {
        try {
            sweep.takeStep(search, oldest, filling, found);
        } catch (StoreException e) {
            tellBroken(search, e);
        }
    }

    private void readKeys(TenantSearch search) {
        try {
            foundKeyed = keyed.read(search);
        } catch (StoreException e) {
            tellBroken(search, e);
        }
    }

    private static void tellBroken(TenantSearch search, StoreException e) {
        LOG.debug(
                "a search for other tenants in queue {} broke off: {}",
                search.asked().queue(),
                ErrorText.of(e));
    }

    private static Instant oldest(DueTimers read) {
        return read.timers().stream()
                .map(StoredTimer::wakeAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    private long restFrom(long began, boolean hasFound) {
        long ended = clock.nanoTime();
        return ended + pace.rest(hasFound, ended - began);
    }

    /**
     * Returns whether timers of other tenants have become due since the last search, so that the turn should end. Asked
     * between two batches. These timers are only counted, and found by the next turn, which has a claim of its own.
     */
    boolean haveCome() {
        TenantSearch search = between;
        long began = clock.nanoTime();
        if (search == null || began - searchAtNanos < 0) {
            return false;
        }
        Instant now = clock.now();
        DueTimers read;
        try {
            read = search.read(present.first(), now, filling, MOST_BETWEEN_BATCHES);
        } catch (StoreException e) {
            // What was published must be settled now. That meets the same store.
            between = null;
            searchAtNanos = restFrom(began, false);
            return false;
        }
        if (!search.claim().isStillOurs()) {
            between = null;
            return false;
        }
        if (read.timers().isEmpty() && filling.size() <= SearchLevels.MOST_LEFT_OUT) {
            // Rows that cannot be read hide no timer from the next question of this turn.
            filling = new HashSet<>(filling);
            filling.addAll(TenantSearch.tenants(read));
        }
        List<StoredTimer> others = search.withoutCalls(read.timers()).stream()
                .filter(each -> !found.contains(each))
                .toList();
        keyed.want(others);
        boolean haveCome = others.stream().anyMatch(each -> each.content().parallelKey() == null);
        if (haveCome) {
            pace.seesSeveral();
            searchAtNanos = clock.nanoTime();
            return true;
        }
        if (!read.more()) {
            passed.add(search.asked().but(), present.first());
            present.passed(now);
        }
        searchAtNanos = restFrom(began, false);
        return false;
    }

    /** Returns whether the queue has had timers of several tenants lately. */
    boolean areKnown() {
        return pace.areKnown();
    }

    /**
     * Returns how much of a read to leave to what the search finds, so that both are one full call: a half, a quarter
     * or nothing. Three sizes, because a database makes a new plan for each.
     */
    int room(int rows) {
        int most = Math.max(foundLast, foundBefore);
        if (most == 0 || most > rows / 2 || !areKnown()) {
            return 0;
        }
        return most <= rows / 4 ? rows / 4 : rows / 2;
    }

    /**
     * Makes the next search include a timer that wakes at that time and became visible just now. The search of the
     * present may have passed that time. This makes no search come sooner.
     */
    void announced(Instant wakeAt) {
        if (isBacklog) {
            present.goBackTo(Times.later(wakeAt, readAt.minus(LATEST)));
        }
    }

    /** Returns what the last search has found for delivery. */
    List<StoredTimer> found() {
        return deliverable;
    }

    /** Notes the timers that were found and not published: they are found again. */
    void left(List<StoredTimer> timers) {
        timers.forEach(this::findAgain);
        Set<TimerKey> again = timers.stream().map(StoredTimer::key).collect(Collectors.toSet());
        keyed.want(
                foundKeyed.stream().filter(each -> again.contains(each.key())).toList());
        found = new FoundTimers();
        foundKeyed = List.of();
        deliverable = List.of();
    }

    private void findAgain(StoredTimer timer) {
        Instant wakeAt = timer.wakeAt();
        if (wakeAt != null && timer.content().parallelKey() == null) {
            present.goBackTo(wakeAt, found.level(timer));
        }
    }
}
