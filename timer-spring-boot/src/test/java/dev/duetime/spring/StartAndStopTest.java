package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.Timers;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Tests of starting with the application's Flyway, in either order. The scheduler must stop before the beans that it
 * needs are closed.
 */
class StartAndStopTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final DriverManagerDataSource database = new DriverManagerDataSource(url, "sa", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final ApplicationContextRunner application =
            Applications.on(url).withBean(Publisher.class, () -> publisher);

    @Test
    void onAnEmptyDatabaseTheApplicationsTablesComeFirst() {
        application.run(context -> assertThat(context).hasNotFailed());

        assertThat(applied("flyway_schema_history")).containsExactly("1");
        assertThat(applied("duetime_schema_history")).contains("0", "1");
        application.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void ifTimersCameFirstTheApplicationsFlywayMustBaselineAtZero() {
        JdbcScheduleStore.of(database);

        application.run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(FlywayException.class)
                .hasMessageContaining("baselineOnMigrate"));
        application
                .withPropertyValues("spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=0")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(applied("flyway_schema_history")).containsExactly("0", "1");
        assertThat(jdbc.queryForList("SELECT * FROM orders")).isEmpty();
    }

    @Test
    void theApplicationCanRunTheMigrationsItself() {
        application
                .withPropertyValues("duetime.migrate=false")
                .run(context -> assertThat(context).hasFailed());
        JdbcScheduleStore.of(database);
        application
                .withPropertyValues("duetime.migrate=false", "spring.flyway.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void deliveryStartsLastStopsFirstAndReleasesTheShards() {
        WebServer.SEEN.clear();
        application.withBean(WebServer.class).run(context -> {
            context.getBean(TestClock.class).runDue();
            assertThat(context.getBean(Scheduler.class).admin().health().running())
                    .isTrue();
            assertThat(owned()).isPositive();
        });

        assertThat(WebServer.SEEN).containsExactly("started, delivers: false", "stopped, delivers: false");
        assertThat(owned()).isZero();
        assertThat(jdbc.queryForList("SELECT timer_id FROM timer_schedules", String.class))
                .containsExactly("late");
    }

    @Test
    void aContextPausedBetweenTestsDeliversAfterItResumes() {
        application.run(context -> {
            context.getSourceApplicationContext().pause();
            context.getSourceApplicationContext().restart();
            context.getBean(Timers.class).schedule(Applications.timer("a", "x"));
            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(publisher.delivered("a")).hasSize(1);
        });
    }

    private List<String> applied(String history) {
        return jdbc.queryForList(
                "SELECT \"version\" FROM \"%s\" WHERE \"version\" IS NOT NULL ORDER BY \"installed_rank\""
                        .formatted(history),
                String.class);
    }

    private int owned() {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM timer_shards WHERE owner IS NOT NULL", Integer.class);
        return count == null ? 0 : count;
    }

    /** A stand-in for the web server, which schedules while it finishes its requests. */
    static final class WebServer implements SmartLifecycle {
        private static final int PHASE = DEFAULT_PHASE - 1024;
        private static final List<String> SEEN = new ArrayList<>();

        private final Scheduler scheduler;
        private final Timers timers;
        private boolean running;

        WebServer(Scheduler scheduler, Timers timers) {
            this.scheduler = scheduler;
            this.timers = timers;
        }

        private boolean delivers() {
            return scheduler.admin().health().running();
        }

        @Override
        public void start() {
            SEEN.add("started, delivers: " + delivers());
            running = true;
        }

        @Override
        public void stop() {
            timers.schedule(Applications.timer("late", "x"));
            SEEN.add("stopped, delivers: " + delivers());
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return PHASE;
        }
    }
}
