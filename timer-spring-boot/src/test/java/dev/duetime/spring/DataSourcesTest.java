package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.Timers;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of how the data source is found among several, and the login that may create tables. */
class DataSourcesTest {
    private final DriverManagerDataSource first = database();
    private final DriverManagerDataSource second = database();

    private static DriverManagerDataSource database() {
        return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    /**
     * An application with its timers in the second database, a table of the same name in the first one, and a
     * transaction manager for each.
     */
    private ApplicationContextRunner storeOnTheSecond() {
        JdbcScheduleStore.of(first);
        return Applications.runner()
                .withPropertyValues("spring.flyway.enabled=false")
                .withBean("first", DataSource.class, () -> first, definition -> definition.setPrimary(true))
                .withBean("second", DataSource.class, () -> second)
                .withBean(
                        "firstManager",
                        PlatformTransactionManager.class,
                        () -> new JdbcTransactionManager(first),
                        definition -> definition.setPrimary(true))
                .withBean("secondManager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(second))
                .withBean(ScheduleStore.class, () -> JdbcScheduleStore.of(second));
    }

    private static List<String> timers(DataSource database) {
        return new JdbcTemplate(database).queryForList("SELECT timer_id FROM timer_schedules", String.class);
    }

    @Test
    void aStoreJoinsOnlyTransactionsOfItsOwnDataSource() {
        TodoQueue mails = TodoQueue.builder("mails")
                .type("welcome", String.class, (todo, run) -> Outcome.complete())
                .build();
        storeOnTheSecond().withBean(TodoQueue.class, () -> mails).run(context -> {
            Timers timers = context.getBean(Timers.class);
            TransactionTemplate onFirst =
                    new TransactionTemplate(context.getBean("firstManager", PlatformTransactionManager.class));
            TransactionTemplate onSecond =
                    new TransactionTemplate(context.getBean("secondManager", PlatformTransactionManager.class));

            onFirst.executeWithoutResult(status -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> timers.schedule(Applications.timer("first", "x")))
                        .withMessageContaining("transaction must be of the timers' data source");
                assertThatIllegalStateException().isThrownBy(() -> mails.enqueue(NewTodo.of("welcome", "first")));
                onSecond.executeWithoutResult(inner -> timers.schedule(Applications.timer("both", "x")));
            });
            onSecond.executeWithoutResult(status -> timers.schedule(Applications.timer("second", "x")));
            onSecond.executeWithoutResult(status -> {
                timers.schedule(Applications.timer("rolled back", "x"));
                status.setRollbackOnly();
            });

            assertThat(timers(first)).isEmpty();
            assertThat(timers(second)).containsExactlyInAnyOrder("both", "second");
        });
    }

    @Test
    void aBorrowedConnectionInAForeignTransactionIsNotJoined() {
        storeOnTheSecond().run(context -> {
            TransactionTemplate onFirst =
                    new TransactionTemplate(context.getBean("firstManager", PlatformTransactionManager.class));

            onFirst.executeWithoutResult(status -> {
                timers(second);
                onFirst.executeWithoutResult(nested -> assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(Timers.class).schedule(Applications.timer("a", "x"))));
            });

            assertThat(timers(second)).isEmpty();
        });
    }

    @Test
    void theTablesMayBeInAnotherSchemaAndHaveAPrefix() {
        Applications.runner()
                .withPropertyValues("duetime.jdbc.schema=timers", "duetime.jdbc.table-prefix=acme_")
                .run(context -> {
                    context.getBean(Timers.class).schedule(Applications.timer("a", "x"));

                    JdbcTemplate database = new JdbcTemplate(context.getBean(DataSource.class));
                    assertThat(database.queryForList("SELECT timer_id FROM timers.acme_timer_schedules", String.class))
                            .containsExactly("a");
                });
    }

    @Test
    void aPrefixThatIsRefusedNamesTheProperty() {
        Applications.runner()
                .withPropertyValues("duetime.jdbc.table-prefix=a-b")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("tablePrefix must consist of letters of ASCII"));
        Applications.runner()
                .withPropertyValues("duetime.jdbc.table-prefix=a-b")
                .run(context ->
                        assertThat(context.getStartupFailure()).hasStackTraceContaining("duetime.jdbc.table-prefix"));
    }

    @Test
    void aTransactionWhoseCommitCannotBeSeenIsRefused() {
        Applications.runner().run(context -> {
            TransactionTemplate unseen =
                    new TransactionTemplate(new JdbcTransactionManager(context.getBean(DataSource.class)));

            unseen.executeWithoutResult(status -> assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Timers.class).schedule(Applications.timer("a", "x")))
                    .withMessageContaining("must be begun by a transaction manager that is a bean"));
        });
    }

    @Test
    void severalDataSourcesWithoutAPrimaryOneFailTheStart() {
        Applications.runner()
                .withPropertyValues("spring.flyway.enabled=false")
                .withBean("first", DataSource.class, () -> first)
                .withBean("second", DataSource.class, () -> second)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("[first, second]")
                        .hasMessageContaining("@Primary"));
    }

    @Test
    void severalDataSourcesWithoutAPrimaryOneDoNotMatterToAStoreOfTheApplicationsOwn() {
        Applications.runner()
                .withPropertyValues("spring.flyway.enabled=false")
                .withBean("first", DataSource.class, () -> first)
                .withBean("second", DataSource.class, () -> second)
                .withBean(ScheduleStore.class, () -> JdbcScheduleStore.of(second))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Scheduler.class));
    }

    /** The pool and the migrations use different databases. So the test sees where the tables are created. */
    @Test
    void theLoginOfTheApplicationsFlywayCreatesTheTables() {
        Applications.on(Objects.requireNonNull(second.getUrl()))
                .withPropertyValues(
                        "spring.flyway.enabled=false",
                        "spring.flyway.url=" + first.getUrl(),
                        "spring.flyway.user=sa",
                        "spring.flyway.password=")
                .run(context -> assertThat(context).hasFailed());

        assertThat(timers(first)).isEmpty();
        assertThatThrownBy(() -> timers(second)).isInstanceOf(BadSqlGrammarException.class);
    }

    /** That login belongs to the application's own database, and the timers are in another one. */
    @Test
    void theLoginOfTheApplicationsFlywayDoesNotMigrateAnotherDataSource() {
        Applications.runner()
                .withPropertyValues(
                        "spring.flyway.enabled=false",
                        "spring.flyway.url=" + first.getUrl(),
                        "spring.flyway.user=sa",
                        "spring.flyway.password=")
                .withBean("first", DataSource.class, () -> first, definition -> definition.setPrimary(true))
                .withBean("second", DataSource.class, () -> second, DataSourcesTest::choose)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Timers.class).schedule(Applications.timer("a", "x"));

                    assertThat(timers(second)).containsExactly("a");
                    assertThatThrownBy(() -> timers(first)).isInstanceOf(BadSqlGrammarException.class);
                });
    }

    private static void choose(BeanDefinition definition) {
        ((AbstractBeanDefinition) definition).addQualifier(new AutowireCandidateQualifier(DuetimeDataSource.class));
    }

    @Test
    void theErrorOfALoginWithoutRightsSaysWhatToDo() {
        new JdbcTemplate(first).execute("CREATE USER app PASSWORD 'app'");

        Applications.on(Objects.requireNonNull(first.getUrl()))
                .withPropertyValues(
                        "spring.datasource.username=app",
                        "spring.datasource.password=app",
                        "spring.flyway.enabled=false")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("spring.flyway.user")
                        .hasStackTraceContaining("run the files below " + realFolder() + " yourself")
                        .hasStackTraceContaining("duetime.migrate=false"));
    }

    @Test
    void noErrorOfTheDataSourceShowsAPassword() {
        AtomicBoolean fails = new AtomicBoolean();
        DataSource pool = new DelegatingDataSource(first) {
            @Override
            public Connection getConnection() throws SQLException {
                if (fails.get()) {
                    throw new SQLException("unknown host //app:secret@db", "08001");
                }
                return super.getConnection();
            }
        };
        JdbcScheduleStore opened = JdbcScheduleStore.of(pool);
        fails.set(true);
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DuetimeAutoConfiguration.class))
                .withBean(DataSource.class, () -> pool)
                .withBean(TestClock.class, TestClock::new);

        showsNoPassword(application);
        showsNoPassword(application.withPropertyValues("spring.flyway.user=sa"));
        showsNoPassword(application.withBean(ScheduleStore.class, () -> opened));
    }

    private static void showsNoPassword(ApplicationContextRunner application) {
        application.run(context -> {
            StringWriter shown = new StringWriter();
            Objects.requireNonNull(context.getStartupFailure()).printStackTrace(new PrintWriter(shown));
            assertThat(shown.toString()).contains("unknown host").doesNotContain("secret");
        });
    }

    @Test
    void theErrorForMissingTablesSaysWhatToDo() {
        Applications.runner()
                .withPropertyValues("duetime.migrate=false")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("tables of timers must exist if duetime.migrate is false")
                        .hasStackTraceContaining("run the files below " + realFolder() + ", or"));
    }

    private static String realFolder() {
        String folder = "dev/duetime/jdbc/migrations";
        assertThat(JdbcScheduleStore.class.getResource("/" + folder + "/h2/V1__timers.sql"))
                .isNotNull();
        return folder;
    }
}
