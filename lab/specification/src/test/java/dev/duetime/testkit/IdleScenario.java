package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Health;
import dev.duetime.admin.QueuePause;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.TimerListener;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A seeded course of events, recorded by listeners and by reads from outside. */
final class IdleScenario {
    private static final List<String> QUEUES = List.of("default", "mails");

    private final Random random;
    private final List<String> log = new ArrayList<>();
    private final TodoQueue todos = queue("todos");
    private final TimerKit kit;
    private final Scheduler elsewhere;
    private int count;

    IdleScenario(int seed, boolean everyTurn) {
        random = new Random(seed);
        boolean ofNode = random.nextInt(4) == 0;
        boolean ticks = random.nextInt(4) == 0;
        Duration poll = Duration.ofNanos(1_000_000_000L * (1 + random.nextInt(9)) + 333L * random.nextInt(3));
        Duration lease = Duration.ofMillis(2_000 + random.nextInt(20_000));
        Duration retention = Duration.ofMinutes(random.nextInt(60));
        boolean keepsHistory = random.nextInt(4) == 0;
        int mails = random.nextInt(4);
        kit = TimerKit.builder()
                .seed(seed)
                .nodes(random.nextInt(3) == 0 ? 2 : 1)
                .notStarted()
                .configure(builder -> {
                    builder.pollInterval(poll).leaseDuration(lease).retention(retention);
                    if (keepsHistory) {
                        builder.occurrenceHistory(Duration.ofHours(1));
                    }
                    builder.queue("mails", queue -> limited(queue.publisher(this::publish), mails))
                            .todoQueue(todos);
                    if (ticks) {
                        builder.extension(PassageOfTime.builder()
                                .on(MinuteHasPassed.class, "ticks", event -> log("tick " + event.now()))
                                .build());
                    }
                    builder.listener(listener(ofNode ? NodeListener.class : TimerListener.class));
                })
                .build();
        // Attached to the scheduler that is built last.
        elsewhere = elsewhere();
        kit.clock().everyTurn(everyTurn);
    }

    /** Sets limits and deadlines: none, a rate and a deadline, a limit of the cluster, or several calls at once. */
    private static void limited(QueueBuilder queue, int choice) {
        switch (choice) {
            case 1 -> queue.rateLimit(RateLimit.perMinute(3)).validFor(Duration.ofMinutes(4));
            case 2 -> queue.concurrencyLimit(1).tenantRateLimit(RateLimit.perMinute(2));
            case 3 -> queue.concurrency(3).validFor(Duration.ofSeconds(30));
            default -> {
                // Neither limits nor deadlines.
            }
        }
    }

    /** Writes timers without waking a loop of the kit. */
    private Scheduler elsewhere() {
        SchedulerBuilder builder =
                Scheduler.builder().store(kit.store()).clock(kit.clock()).random(new Random(5));
        QUEUES.forEach(name -> builder.queue(name, queue -> {}));
        return builder.build();
    }

    private TimerListener listener(Class<? extends TimerListener> type) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals") ? self == args[0] : (Object) 0;
            }
            if (method.getReturnType() == boolean.class) {
                return true;
            }
            log(method.getName() + " " + Arrays.deepToString(args));
            return null;
        });
        return type.cast(proxy);
    }

    private void publish(List<Envelope> batch) {
        batch.forEach(each -> log("mail " + each.key().timerId()));
        elsewhere.schedule(Timer.after("from-hook-" + count++, Duration.ofSeconds(random.nextInt(20)))
                .build());
        KitNode node = kit.nodes().get(random.nextInt(kit.nodes().size()));
        switch (random.nextInt(12)) {
            case 0 -> node.storeDown();
            case 1 -> node.pause();
            case 2 -> node.clock().jump(Duration.ofMillis(random.nextInt(3_000)));
            case 3 -> node.failBefore(StoreCall.NEXT_DUE);
            case 4 -> node.failAfter(StoreCall.RENEW);
            case 5 -> kit.store().admin().pause("todos", new QueuePause(kit.now(), "a hook"));
            case 6 -> kit.store().admin().resume("todos");
            case 7 -> kit.scheduler().admin().activity();
            default -> {
                // The hook only schedules.
            }
        }
    }

    private void log(String event) {
        log.add(kit.now() + " " + event);
    }

    List<String> run() {
        kit.nodes().forEach(KitNode::start);
        kit.scheduler()
                .schedule(Timer.recurring(TimerKey.of("often"), Recurrence.every(Duration.ofMinutes(7)))
                        .build());
        for (int i = 0; i < 25; i++) {
            try {
                act(kit.nodes().get(random.nextInt(kit.nodes().size())));
            } catch (StoreException e) {
                log(e.toString());
            }
            kit.advance(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 20_000 : 1_800_000)));
            look();
        }
        kit.close();
        return log;
    }

    private void act(KitNode node) {
        Duration delay = Duration.ofMillis(random.nextInt(900_000));
        String id = "t" + count++;
        int choice = random.nextInt(15);
        log("act " + choice + " on " + node.id());
        switch (choice) {
            case 0 -> node.scheduler().schedule(Timer.after(id, delay).build());
            case 1 ->
                node.scheduler().schedule(Timer.after(id, delay).queue("mails").build());
            case 2 -> elsewhere.schedule(Timer.after(id, delay).build());
            case 3 ->
                elsewhere.schedule(Timer.after(id, Duration.ZERO).queue("mails").build());
            case 4 -> kit.publisher().failNext(random.nextInt(3));
            case 5 -> node.scheduler().admin().pause("default");
            case 6 -> node.scheduler().admin().resume("default");
            case 7 -> {
                if (random.nextBoolean()) {
                    node.storeDown();
                }
            }
            case 8 -> node.pause();
            case 9 -> node.clock().jump(Duration.ofMillis(random.nextInt(3_000)));
            case 10 -> elsewhere.cancel(TimerKey.of("t" + random.nextInt(count)));
            case 11 -> todos.enqueue(NewTodo.of("t", id).id("todo-" + id).startAfter(delay));
            case 12 -> schedule5(node, delay);
            case 13 ->
                node.scheduler()
                        .schedule(Timer.after(id, delay)
                                .validFor(Duration.ofSeconds(1 + random.nextInt(30)))
                                .build());
            default -> {
                if (random.nextBoolean()) {
                    node.restart();
                }
            }
        }
        if (random.nextInt(3) == 0) {
            kit.nodes().forEach(each -> {
                each.storeUp();
                each.resume();
            });
        }
    }

    /** Schedules more mails than a limit lets begin at once. */
    private void schedule5(KitNode node, Duration delay) {
        for (int i = 0; i < 5; i++) {
            node.scheduler()
                    .schedule(Timer.after("t" + count++, delay).queue("mails").build());
        }
    }

    /**
     * The watch over leases has no fixed rhythm. So a node that was paused may show another time since which it is
     * late.
     */
    private static String withoutBeatOfTheWatch(Health health) {
        return health.toString().replaceAll("stuckSince=[^,]*, ", "");
    }

    private void look() {
        for (String queue : QUEUES) {
            log("leases " + kit.store().leases().view(queue));
        }
        log("limits " + kit.store().permits().ledgers());
        log("occurrences " + kit.store().admin().views().occurrences(TimerKey.of("often")));
        for (KitNode node : kit.nodes()) {
            log("health " + withoutBeatOfTheWatch(node.scheduler().admin().health()));
        }
        for (int i = 0; i < count; i++) {
            TimerKey key = TimerKey.of("t" + i);
            kit.store().find(key).ifPresent(each -> log(key + " " + each.state() + " " + each.attempt()));
        }
    }

    static TodoQueue queue(String name) {
        return TodoQueue.builder(name)
                .type("t", String.class, (todo, run) -> Outcome.complete())
                .workers(2)
                .build();
    }
}
