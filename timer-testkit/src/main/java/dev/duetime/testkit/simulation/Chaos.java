package dev.duetime.testkit.simulation;

import dev.duetime.Timer;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** The source of faults: what goes wrong and when. After {@link #end} nothing goes wrong. */
final class Chaos {
    private final World world;
    private boolean ended;

    Chaos(World world) {
        this.world = world;
    }

    /** Ends all faults, and starts nodes if none is left to deliver. */
    void end() {
        ended = true;
        world.broker.recover();
        world.held.release();
        world.refused.end();
        world.setStoreClock(Duration.ZERO);
        world.processes.forEach(NodeProcess::recover);
        if (world.alive().isEmpty()) {
            world.start(restartable());
        }
    }

    /** Returns whether this fault strikes now. */
    boolean strikes(Fault fault) {
        return inflicts(fault) && world.chance(world.scenario.rate());
    }

    /** Returns whether this fault may strike now. */
    boolean inflicts(Fault fault) {
        return !ended && world.scenario.faults().contains(fault);
    }

    /** Returns whether the reply of a user's call is lost during the calm. This must delay no timer. */
    boolean losesReplyInCalm(StoreCall call) {
        return call == StoreCall.SCHEDULE
                && world.users.areCalm()
                && world.scenario.faults().contains(Fault.LOST_REPLY)
                && world.chance(0.1);
    }

    /** Returns whether a hint to other nodes is lost, also during the calm. This delays a timer until the next poll. */
    boolean losesHint() {
        return world.scenario.faults().contains(Fault.LOST_HINT) && world.chance(0.5);
    }

    /** Lets a transaction hold a row during the calm. This must delay no other timer. */
    void holdInCalm() {
        if (world.scenario.faults().contains(Fault.HELD_ROW) && world.chance(0.1)) {
            world.held.hold(world.users.anyVictim(), world.upTo(Duration.ofSeconds(5)));
        }
    }

    /** Lets the database refuse a row during the calm. This must delay no other timer. */
    void refuseInCalm() {
        if (world.scenario.faults().contains(Fault.REFUSED_ROW) && world.chance(0.1)) {
            world.refused.refuse(world.users.anyVictim(), world.upTo(Duration.ofSeconds(5)));
        }
    }

    /** Gives free shards to a stranger, with leases that end later than any lease can. */
    void leaveFutureLeases() {
        if (!world.scenario.faults().contains(Fault.FUTURE_LEASE)) {
            return;
        }
        ShardLeases leases = world.store.leases();
        int shards = leases.open(Timer.DEFAULT_QUEUE, OptionalInt.of(world.shards()));
        Set<Integer> wanted = new TreeSet<>();
        for (int shard = 0; shard < shards; shard++) {
            if (world.random.nextInt(3) > 0) {
                wanted.add(shard);
            }
        }
        Instant now = world.clock.now();
        Instant until = now.plus(Duration.ofDays(4_000));
        Set<Integer> got = leases.acquire(Timer.DEFAULT_QUEUE, wanted, "stranger", now, until);
        world.note("stranger#1", new Event.Acquired(new TreeSet<>(got), now, until));
    }

    /** Returns whether the publisher refuses a part of a batch; batches are few, so this is likelier than a strike. */
    boolean refusesSome() {
        return !ended && world.scenario.faults().contains(Fault.PUBLISHER_FAILURE) && world.chance(0.2);
    }

    /** Lets other events happen while a process is in the middle of a call. */
    void interlude(NodeProcess process) {
        interlude(process, Duration.ZERO);
    }

    /** Lets things happen while a process is busy, and if several calls run at once also some time pass. */
    void interlude(NodeProcess process, Duration longest) {
        if (!ended && world.scenario.concurrency() > 1 && !longest.isZero()) {
            world.inside(() -> world.clock.linger(Duration.ofMillis(world.random.nextInt((int) longest.toMillis()))));
        }
        if (world.users.interrupts()) {
            world.inside(world.users::act);
        }
        if (strikes(Fault.CRASH)) {
            process.crash();
            return;
        }
        if (strikes(Fault.HANG)) {
            world.inside(() -> process.hang(aWhile()));
        }
        if (strikes(Fault.PAUSE)) {
            world.inside(() -> process.pause(aWhile()));
        }
        if (!ended && world.chance(world.scenario.rate() / 4)) {
            world.inside(this::act);
        }
        if (process.isPaused()) {
            // The process was stopped during this call. Here it continues.
            process.resume();
        }
    }

    /** Inflicts a fault on the whole cluster. */
    void act() {
        if (ended || world.random.nextInt(4) > 0) {
            world.users.act();
            return;
        }
        if (world.scenario.faults().isEmpty()) {
            return;
        }
        Fault fault = world.any(world.scenario.faults().stream().sorted().toList());
        List<NodeProcess> alive = world.alive();
        NodeProcess process = alive.isEmpty() ? null : world.any(alive);
        Instant later = world.clock.now().plus(aWhile());
        if (process == null || world.random.nextInt(3) == 0) {
            comeBack();
            return;
        }
        switch (fault) {
            case CRASH -> process.crash();
            case CLOSE -> process.close();
            case STORE_FAILURE, LOST_REPLY -> process.loseStore(later);
            case HELD_ROW -> world.held.hold(world.users.anyVictim(), aWhile());
            case REFUSED_ROW -> world.refused.refuse(world.users.anyVictim(), aWhile());
            case FULL_HEAP -> process.fillHeap(later);
            case DEADLY_TIMER -> world.broker.deadly(world.users.anyVictim(), 1 + world.random.nextInt(10));
            case FUTURE_LEASE -> leaveFutureLeases();
            case STORE_CLOCK -> world.setStoreClock(aWhile().multipliedBy(world.random.nextInt(3) - 1));
            case HANG, PAUSE -> process.pause();
            case CLOCK_JUMP -> process.jump(aWhile().multipliedBy(world.random.nextBoolean() ? 10 : -10));
            case PUBLISHER_FAILURE -> {
                if (world.random.nextBoolean()) {
                    world.broker.goDown(later);
                } else {
                    world.broker.poison(world.users.anyKey(), 1 + world.random.nextInt(8));
                }
            }
            case SILENT_SUCCESS, RUDE_CODE, LOST_HINT, CANCELLED_READ -> comeBack();
        }
    }

    /** Resumes, restarts or adds a process. */
    private void comeBack() {
        List<NodeProcess> paused =
                world.processes.stream().filter(NodeProcess::isPaused).toList();
        if (!paused.isEmpty()) {
            world.any(paused).resume();
        } else if (world.processes.stream().filter(each -> !each.isOver()).count() < world.given.nodes) {
            world.start(restartable());
        }
    }

    /** Returns the name of a node without a process: a former one or a new one. */
    private String restartable() {
        List<String> gone = world.processes.stream()
                .map(each -> each.node)
                .distinct()
                .filter(node ->
                        world.processes.stream().noneMatch(each -> each.node.equals(node) && each.mayStillAct()))
                .toList();
        long known = world.processes.stream().map(each -> each.node).distinct().count();
        return gone.isEmpty() || world.random.nextInt(3) == 0 ? "node-" + known : world.any(gone);
    }

    /** Returns a random duration: mostly short, often longer than a lease. */
    private Duration aWhile() {
        return world.random.nextInt(3) == 0
                ? world.upTo(Duration.ofMillis(100))
                : world.upTo(world.scenario.lease().multipliedBy(5).dividedBy(2));
    }
}
