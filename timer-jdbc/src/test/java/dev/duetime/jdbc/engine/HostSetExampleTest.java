package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.hosts.HostSet;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The example of docs/scale-out.md, on two kinds of databases. */
class HostSetExampleTest {

    @Test
    void oneSchedulerDeliversTimersOfTwoDatabases() throws InterruptedException {
        try (FreshDatabases h2 = Database.H2.open();
                FreshDatabases sqlite = Database.SQLITE.open();
                HikariDataSource east = FreshDatabases.pool(h2.create());
                HikariDataSource west = FreshDatabases.pool(sqlite.create())) {
            Set<String> delivered = ConcurrentHashMap.newKeySet();
            CountDownLatch all = new CountDownLatch(80);
            Publisher publisher = batch -> batch.forEach(each -> {
                delivered.add(each.event().key().timerId());
                all.countDown();
            });
            TodoQueue mails = TodoQueue.builder("mails")
                    .type("mail", String.class, (todo, run) -> {
                        delivered.add(todo.id());
                        all.countDown();
                        return Outcome.complete();
                    })
                    .build();

            JdbcScheduleStore storeEast = JdbcScheduleStore.of(east);
            JdbcScheduleStore storeWest = JdbcScheduleStore.of(west);
            HostSet hosts = HostSet.builder()
                    .host("east", storeEast)
                    .host("west", storeWest)
                    .build();
            Scheduler scheduler = Scheduler.builder()
                    .store(hosts)
                    .publisher(publisher)
                    .todoQueue(mails)
                    .build();

            scheduler.start();
            scheduler.scheduleAll(IntStream.range(0, 40)
                    .mapToObj(i -> Timer.after("t-" + i, Duration.ofMillis(10)).build())
                    .toList());
            mails.enqueueAll(IntStream.range(0, 40)
                    .mapToObj(i -> NewTodo.of("mail", "hello").id("m-" + i))
                    .toList());
            assertThat(all.await(50, TimeUnit.SECONDS)).isTrue();
            scheduler.close();

            assertThat(delivered).hasSize(80);
            assertThat(storeEast.query(TimerQuery.all().allowScan())).hasSizeBetween(25, 55);
            assertThat(storeWest.query(TimerQuery.all().allowScan())).hasSizeBetween(25, 55);
        }
    }
}
