package dev.duetime.engine.lanes;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.LeftTimers.Group;
import dev.duetime.engine.lanes.LeftTimers.Lane;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parallel keys of timers that reads leave out because their type or tenant waits. A later timer of such a key must
 * wait, too, and so must a timer of which the earlier ones are not known yet. To learn them, some reads leave nothing
 * out ({@link KeyWalk}).
 *
 * <p>What is known of a type or tenant lasts until its backlog has ended, however often reads include it meanwhile. A
 * timer is forgotten when a read includes it and it is delivered or gone. Used by one thread, or guarded by the lock of
 * its owner.
 */
public final class LeftKeys {
    /** Bounds the statement that leaves out keys of which a later timer was read. */
    private static final int MOST_LEFT_OUT = 1_000;

    /** Bounds memory. With more, all is learnt anew. */
    private static final int MOST_LANES = 10_000;

    private final LeftTimers left = new LeftTimers();

    /**
     * The timers of other types and tenants that were left, until a usual read returns them. A read that learns keys
     * may begin behind them. What else lies before it was returned by reads that have left nothing out.
     */
    private final LeftTimers passed = new LeftTimers();

    /** Whether more timers were left than can be known, and no usual read has come to all of them since. */
    private boolean areTooMany;

    private final KeyWalk walk;

    /** The groups of which it is not known yet whether the next read leaves them out. */
    private final List<Group> fresh = new ArrayList<>();

    /** The keys of which a later timer was read. */
    private final Set<String> asked = new HashSet<>();

    /** The types and tenants with a backlog that reads leave out, or did. */
    private final Set<String> types = new HashSet<>();

    private final Set<String> tenants = new HashSet<>();
    private Set<Integer> shards = Set.of();

    /** What this read is to leave out, and where it begins. */
    private Exclusion but = Exclusion.NONE;

    private Instant from = Instant.MIN;
    private boolean learns;
    private boolean isBehind;

    /** Whether it is one behind a read that learns keys. */
    private boolean isAfterLearning;

    /** The time before which the last read returned all timers that it did not leave out, and their keys. */
    private Instant end = Instant.MIN;

    private Set<String> keysBefore = Set.of();

    /** Whether reads that leave something out have returned timers with keys. */
    private boolean hasSeenKeys;

    public LeftKeys(Clock clock) {
        walk = new KeyWalk(clock);
    }

    /** Returns the keys that a read leaves out together with these types and tenants. */
    public Set<String> of(Set<String> ofTypes, Set<String> ofTenants) {
        Set<String> keys = leftOut();
        keys.removeIf(key -> !left.isFirstOf(key, ofTypes, ofTenants));
        return keys;
    }

    /** Returns all keys of which a later timer waits. */
    public Set<String> leftOut() {
        asked.removeIf(key -> !left.contains(key));
        return new HashSet<>(asked);
    }

    /**
     * Begins a read that is to leave this out.
     *
     * @param mayLearn whether it may leave nothing out instead
     * @return what it leaves out
     */
    public Exclusion beginRead(Exclusion toLeaveOut, Set<Integer> ofShards, boolean mayLearn) {
        isBehind = false;
        isAfterLearning = false;
        but = toLeaveOut;
        if (!shards.containsAll(ofShards)) {
            walk.knownAtMostTo(Instant.MIN);
        }
        shards = Set.copyOf(ofShards);
        noteLanes();
        if (!leavesOut()) {
            walk.isNotWanted();
        }
        if (types.isEmpty() && tenants.isEmpty()) {
            walk.restChecks();
        }
        boolean checks = (hasSeenKeys || !asked.isEmpty()) && walk.mayCheck();
        learns = mayLearn && leavesOut() && (walk.mayLearn() || checks);
        from = learns ? walk.begin() : Instant.MIN;
        if (learns) {
            return Exclusion.NONE;
        }
        fresh.stream().filter(each -> !each.lane.isOf(types, tenants)).forEach(this::pass);
        fresh.clear();
        end = Instant.MIN;
        return but;
    }

    /** Notes that the usual reads include these timers. They may come to them only after many others. */
    private void pass(Group group) {
        if (left.remove(group)) {
            areTooMany |= !passed.add(group);
        }
    }

    /** Notes the types and tenants that a read leaves out for the first time. */
    private void noteLanes() {
        List<Lane> added = new ArrayList<>();
        but.types().stream().filter(types::add).forEach(each -> added.add(new Lane(each, null)));
        but.tenants().stream().filter(tenants::add).forEach(each -> added.add(new Lane(null, each)));
        if (types.size() + tenants.size() > MOST_LANES) {
            forget();
        } else if (!added.isEmpty()) {
            walk.knownAtMostTo(end);
            // Of the keys that the last read left out, timers may be left that no read has returned.
            keysBefore.forEach(key -> added.forEach(lane -> left.mayHave(key, lane, end)));
        }
    }

    /** Forgets all that is known of keys, so that it is learnt anew: there is too much of it, or a change broke off. */
    public void forget() {
        types.clear();
        tenants.clear();
        types.addAll(but.types());
        tenants.addAll(but.tenants());
        left.clear();
        passed.clear();
        areTooMany = false;
        fresh.clear();
        asked.clear();
        walk.knownAtMostTo(Instant.MIN);
    }

    /** Begins a read behind a backlog. It shows nothing of what comes before it. */
    public void beginBehind() {
        isBehind = true;
        isAfterLearning |= learns;
        learns = false;
    }

    /** Returns whether this read makes more parallel keys known. */
    public boolean learns() {
        return learns;
    }

    /** Returns where such a read begins. */
    public Instant learnsFrom() {
        return from;
    }

    /** Notes where another read begins. */
    public void readsFrom(Instant first) {
        from = first;
    }

    private boolean leavesOut() {
        return !but.types().isEmpty() || !but.tenants().isEmpty();
    }

    /** Returns whether a timer is of a type or tenant that reads leave out, and was read to know its key. */
    public boolean isOnlyLearnt(StoredTimer timer) {
        return learns
                && (but.types().contains(timer.content().type())
                        || but.tenants().contains(timer.key().tenantId()));
    }

    /**
     * Returns whether a timer that was read must wait: an earlier one of its key was left, or may have been left out.
     */
    public boolean mustWait(StoredTimer timer) {
        String key = timer.content().parallelKey();
        Instant wakeAt = timer.wakeAt();
        if (key == null || wakeAt == null) {
            return false;
        }
        if (isOnlyLearnt(timer)) {
            return true;
        }
        hasSeenKeys |= leavesOut();
        if (left.holdBack(timer, isBehind ? Instant.MAX : from, but)) {
            return asked.contains(key) || (asked.size() < MOST_LEFT_OUT && asked.add(key));
        }
        if ((learns || isAfterLearning) && isBehindPassed(timer)) {
            return true;
        }
        return leavesOut() && !learns && !walk.knows(wakeAt);
    }

    /** Returns whether an earlier timer of its key may wait before the beginning of a read that learns keys. */
    private boolean isBehindPassed(StoredTimer timer) {
        return (areTooMany && !from.equals(Instant.MIN)) || passed.holdBack(timer, from, Exclusion.NONE);
    }

    /** Notes a timer that is due and was not delivered. */
    public void add(StoredTimer timer) {
        Group group = left.add(timer);
        areTooMany |= group == null && timer.content().parallelKey() != null;
        if (group != null && !group.lane.isOf(types, tenants)) {
            fresh.add(group);
        }
    }

    /**
     * Notes a read.
     *
     * @param to up to when timers were to be read
     * @param timers those of them that were left, in any order
     * @param tookNanos how long it took
     */
    public void read(DueTimers read, Instant to, List<StoredTimer> timers, long tookNanos) {
        if (isBehind) {
            timers.forEach(this::add);
            return;
        }
        List<StoredTimer> all = read.timers();
        Instant last = all.isEmpty() ? null : all.get(all.size() - 1).wakeAt();
        Instant readTo = read.more() && last != null ? last : to.plus(1, ChronoUnit.MICROS);
        left.wereRead(from, readTo, learns ? Exclusion.NONE : but);
        passed.wereRead(learns ? from : Instant.MIN, readTo, learns ? Exclusion.NONE : but);
        timers.forEach(this::add);
        if (learns) {
            hasSeenKeys &= !walk.done(from, readTo, read.more(), tookNanos);
            return;
        }
        end = readTo;
        keysBefore = but.parallelKeys();
        if (but.isNothing()) {
            walk.readTo(from, readTo);
        }
        if (!read.more()) {
            areTooMany &= timers.stream().anyMatch(each -> each.content().parallelKey() != null);
            forgetEndedBacklogs(timers);
        }
    }

    /** Forgets types and tenants that a read included, of which it has left nothing. */
    private void forgetEndedBacklogs(List<StoredTimer> timers) {
        Set<String> ofTypes = new HashSet<>(but.types());
        Set<String> ofTenants = new HashSet<>(but.tenants());
        timers.forEach(each -> ofTypes.add(each.content().type()));
        timers.forEach(each -> ofTenants.add(each.key().tenantId()));
        types.removeIf(type -> !ofTypes.contains(type) && !left.anyIs(lane -> type.equals(lane.type())));
        tenants.removeIf(tenant -> !ofTenants.contains(tenant) && !left.anyIs(lane -> tenant.equals(lane.tenant())));
    }

    /** Notes that a timer is due at that time which may be new. */
    public void announced(Instant dueAt) {
        walk.knownAtMostTo(dueAt);
    }

    /** Returns whether to read again at once: a read to know more keys replaced another one, or may begin now. */
    public boolean readsAtOnce() {
        return (learns && !isBehind) || walk.mayLearn();
    }

    /** Returns whether timers wait until more keys are known. */
    public boolean areWanted() {
        return walk.isWanted();
    }

    /** Returns when the loop should have a turn; {@link Instant#MIN} for now, {@link Instant#MAX} if it need not. */
    public Instant nextTurn() {
        return walk.next(!asked.isEmpty());
    }

    /** Returns whether it is time for a read that makes keys known, and the loop must be asked for it. */
    public boolean takeDue() {
        boolean isDue = nextTurn().equals(Instant.MIN);
        if (isDue) {
            walk.woken();
        }
        return isDue;
    }
}
