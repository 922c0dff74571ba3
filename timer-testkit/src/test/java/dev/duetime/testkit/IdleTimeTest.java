package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Health;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.listener.TimerListener;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that turns which do nothing are skipped, without any visible effect. */
class IdleTimeTest {
    private static final List<String> QUEUES = List.of("default", "mails");

    /** {@code -Dduetime.idle.seeds=1000} runs more seeds. */
    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("duetime.idle.seeds", 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSameEventsHappenAtTheSameTimesWithSkippedTurns(int seed) {
        List<String> slow = new Scenario(seed, true).run();
        List<String> quick = new Scenario(seed, false).run();

        for (int i = 0; i < Math.min(slow.size(), quick.size()); i++) {
            assertThat(quick.get(i)).as("line %d of %d", i, slow.size()).isEqualTo(slow.get(i));
        }
        assertThat(quick).hasSameSizeAs(slow);
    }

    @Test
    void aYearWithADailyTimerTakesAFewTurnsADay() {
        try (TimerKit kit =
                TimerKit.builder().configure(IdleTimeTest::fourQueues).build()) {
            kit.scheduler()
                    .schedule(Timer.recurring(TimerKey.of("daily"), Recurrence.every(Duration.ofDays(1)))
                            .build());

            kit.advance(Duration.ofDays(365));

            assertThat(kit.delivered("daily"))
                    .hasSize(365)
                    .allMatch(each -> each.event().lateness().isZero());
            assertThat(calls(kit)).isLessThan(30 * 365);
        }
    }

    @Test
    void aYearWithPassageOfTimeTakesAFewTurnsADay() {
        List<LocalDate> days = new ArrayList<>();
        PassageOfTime passage = PassageOfTime.builder()
                .on(DayHasPassed.class, "report", day -> days.add(day.date()))
                .build();
        try (TimerKit kit =
                TimerKit.builder().configure(s -> s.extension(passage)).build()) {
            kit.advance(Duration.ofDays(365));

            assertThat(days).hasSize(365).doesNotHaveDuplicates();
            assertThat(calls(kit)).isLessThan(40 * 365);
        }
    }

    @Test
    void aListenerWithoutSamplesCostsNoTurns() {
        NodeListener deaf = new NodeListener() {};
        try (TimerKit kit = TimerKit.builder().configure(s -> s.listener(deaf)).build()) {
            kit.advance(Duration.ofDays(365));

            assertThat(calls(kit)).isLessThan(30 * 365);
        }
    }

    /** The other scheduler wakes no loop of the kit. So only a poll finds what it wrote. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTimerThatASampleWritesFromElsewhereIsFoundByTheNextPoll(boolean everyTurn) {
        AtomicReference<Scheduler> elsewhere = new AtomicReference<>();
        NodeListener writer = new NodeListener() {
            @Override
            public void sampled(QueueSample sample) {
                if (elsewhere.get() != null) {
                    elsewhere.get().schedule(Timer.after("late", Duration.ZERO).build());
                }
            }
        };
        try (TimerKit kit =
                        TimerKit.builder().configure(s -> s.listener(writer)).build();
                Scheduler other = Scheduler.builder()
                        .clock(kit.clock())
                        .store(kit.store())
                        .build()) {
            kit.clock().everyTurn(everyTurn);
            kit.advance(Duration.ofSeconds(30));
            elsewhere.set(other);
            kit.advance(Duration.ofMinutes(2));

            assertThat(kit.delivered("late"))
                    .hasSize(1)
                    .allMatch(each -> each.event().lateness().compareTo(Duration.ofSeconds(5)) <= 0);
        }
    }

    private static int calls(TimerKit kit) {
        return Arrays.stream(StoreCall.values()).mapToInt(kit.node(0)::calls).sum();
    }

    @Test
    void aNewNodeWaitsForTheWholeLeaseOfACrashedOneAfterIdleTime() {
        try (TimerKit kit = TimerKit.builder().build()) {
            kit.advance(Duration.ofDays(30));
            kit.node(0).crash();
            kit.addNode();
            kit.node(1).scheduler().schedule(Timer.after("a", Duration.ZERO).build());

            kit.advance(Duration.ofSeconds(6));
            assertThat(kit.delivered("a")).isEmpty();

            kit.advance(Duration.ofSeconds(5));
            assertThat(kit.delivered("a")).hasSize(1);
        }
    }

    @Test
    void oldEndedTimersArePurgedWhileTimeIsSkipped() {
        try (TimerKit kit = TimerKit.create()) {
            kit.scheduler().schedule(Timer.after("a", Duration.ZERO).build());
            kit.advance(Duration.ofDays(7).minusSeconds(1));
            assertThat(kit.scheduler().find(TimerKey.of("a"))).isPresent();

            kit.advance(Duration.ofMinutes(2));
            assertThat(kit.scheduler().find(TimerKey.of("a"))).isEmpty();
        }
    }

    private static void fourQueues(SchedulerBuilder builder) {
        builder.queue("mails", queue -> queue.publisher(batch -> {}))
                .todoQueue(queue("todos"))
                .todoQueue(queue("more-todos"));
    }

    private static TodoQueue queue(String name) {
        return TodoQueue.builder(name)
                .type("t", String.class, (todo, run) -> Outcome.complete())
                .workers(2)
                .build();
    }

    /** A seeded course of events, recorded by listeners and by reads from outside. */
    private static final class Scenario {
        private final Random random;
        private final List<String> log = new ArrayList<>();
        private final TodoQueue todos = queue("todos");
        private final TimerKit kit;
        private final Scheduler elsewhere;
        private int count;

        Scenario(int seed, boolean everyTurn) {
            random = new Random(seed);
            boolean ofNode = random.nextInt(4) == 0;
            boolean ticks = random.nextInt(4) == 0;
            Duration poll = Duration.ofNanos(1_000_000_000L * (1 + random.nextInt(9)) + 333L * random.nextInt(3));
            Duration lease = Duration.ofMillis(2_000 + random.nextInt(20_000));
            Duration retention = Duration.ofMinutes(random.nextInt(60));
            kit = TimerKit.builder()
                    .seed(seed)
                    .nodes(random.nextInt(3) == 0 ? 2 : 1)
                    .notStarted()
                    .configure(builder -> {
                        builder.pollInterval(poll).leaseDuration(lease).retention(retention);
                        builder.queue("mails", queue -> queue.publisher(this::publish))
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

        /** Writes timers without waking a loop of the kit. */
        private Scheduler elsewhere() {
            SchedulerBuilder builder =
                    Scheduler.builder().store(kit.store()).clock(kit.clock()).random(new Random(5));
            QUEUES.forEach(name -> builder.queue(name, queue -> {}));
            return builder.build();
        }

        private TimerListener listener(Class<? extends TimerListener> type) {
            Object proxy =
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
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
            int choice = random.nextInt(13);
            log("act " + choice + " on " + node.id());
            switch (choice) {
                case 0 -> node.scheduler().schedule(Timer.after(id, delay).build());
                case 1 ->
                    node.scheduler()
                            .schedule(Timer.after(id, delay).queue("mails").build());
                case 2 -> elsewhere.schedule(Timer.after(id, delay).build());
                case 3 ->
                    elsewhere.schedule(
                            Timer.after(id, Duration.ZERO).queue("mails").build());
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
            for (KitNode node : kit.nodes()) {
                log("health " + withoutBeatOfTheWatch(node.scheduler().admin().health()));
            }
            for (int i = 0; i < count; i++) {
                TimerKey key = TimerKey.of("t" + i);
                kit.store().find(key).ifPresent(each -> log(key + " " + each.state() + " " + each.attempt()));
            }
        }
    }
}
