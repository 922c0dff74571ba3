package dev.duetime.specification.operate;

import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The program of a node that has delivered, retried and renewed its leases when it ends. */
final class LateClassesProcess {
    static final String STARTED = "started";

    private static final int TICKS = 3;

    private LateClassesProcess() {}

    record Mail(String to) {}

    /** Runs it. */
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(TICKS);
        CountDownLatch outcomes = new CountDownLatch(2);
        Set<String> failed = ConcurrentHashMap.newKeySet();
        TodoQueue mails = TodoQueue.builder("mails")
                .type("mail", Mail.class, (todo, run) -> {
                    if (failed.add("mail")) {
                        throw new IllegalStateException("no mail");
                    }
                    outcomes.countDown();
                    return Outcome.complete();
                })
                .build();
        SystemClock clock = new SystemClock();
        Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(clock)
                .leaseDuration(Duration.ofSeconds(2))
                .todoQueue(mails)
                .extension(PassageOfTime.builder()
                        .every(Duration.ofSeconds(1), "ticks", tick -> ticks.countDown())
                        .build())
                .publisher(batch -> {
                    if (failed.add("timer")) {
                        throw new IllegalStateException("no broker");
                    }
                    outcomes.countDown();
                })
                .build();
        scheduler.schedule(Timer.after("t", Duration.ofMillis(100)).build());
        mails.enqueue(NewTodo.of("mail", new Mail("you")).parallelKey("you"));
        scheduler.start();
        System.out.println(STARTED);
        ticks.await();
        outcomes.await();
        Runtime.getRuntime().halt(0);
    }
}
