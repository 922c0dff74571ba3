package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.listener.DeadTimer;
import dev.duetime.spring.actuate.DuetimeEndpoint;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.internal.host.HostCheck;
import dev.duetime.spring.internal.host.UnsupportedHostException;
import dev.duetime.spring.properties.DuetimeProperties;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.testkit.TestClock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Real starts of an application: what a developer sees when something is missing, and what beans and properties do. */
class ApplicationStartTest {
    private static final List<Object> EVENTS = new ArrayList<>();
    private static final Duration SOON = Duration.ofMinutes(15);

    private static final String STACK_TRACE = "\tat ";

    private final Output output = new Output();

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    @AfterEach
    void restore() {
        output.close();
    }

    private static ConfigurableApplicationContext start(Class<?> configuration, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--logging.register-shutdown-hook=false");
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(all.toArray(String[]::new));
    }

    private static String url() {
        return "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Virtual {
        @Bean
        TestClock testClock() {
            return new TestClock();
        }
    }

    /** A service that schedules. */
    static class Service {
        Service(Timers timers) {
            timers.now();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithService {
        @Bean
        Service service(Timers timers) {
            return new Service(timers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithScheduler {
        @Bean
        String node(Scheduler scheduler) {
            return scheduler.admin().health().nodeId();
        }
    }

    private static void fails(Class<?> configuration, String... arguments) {
        assertThatThrownBy(() -> start(configuration, arguments).close()).isInstanceOf(Exception.class);
    }

    @Test
    void withoutADataSourceTheErrorSaysSo() {
        fails(
                WithService.class,
                "--spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("a bean of type dev.duetime.Timers, and there is none: there is no bean of type"
                        + " javax.sql.DataSource.")
                .contains("Add spring-boot-starter-jdbc");
    }

    @Test
    void aSchedulerThatIsSwitchedOffIsNamed() {
        fails(WithScheduler.class, url(), "--duetime.enabled=false");

        assertThat(output.toString()).contains("dev.duetime.Scheduler, and there is none: duetime.enabled is false.");
    }

    @Test
    void anExcludedAutoConfigurationIsNamedWithTheVersionOfSpringBoot() {
        fails(WithService.class, url(), "--spring.autoconfigure.exclude=" + DuetimeAutoConfiguration.class.getName());

        assertThat(output.toString())
                .contains("the auto-configuration of Duetime was not applied. Spring Boot is ")
                .contains("and the data sources are [dataSource]")
                .contains("spring.autoconfigure.exclude");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoSources {
        @Bean
        DataSource orders() {
            return new DriverManagerDataSource("jdbc:h2:mem:orders-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource stock() {
            return new DriverManagerDataSource("jdbc:h2:mem:stock-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    @Test
    void twoDataSourcesOfEqualRankAreNamed() {
        fails(TwoSources.class, "--spring.flyway.enabled=false");

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("data source of timers must be one but there are [orders, stock]")
                .contains("@DuetimeDataSource")
                .doesNotContain(STACK_TRACE);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoChosenSources extends ChosenSource {
        @Bean
        @DuetimeDataSource
        DataSource more() {
            return new DriverManagerDataSource("jdbc:h2:mem:more-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    @Test
    void severalChosenDataSourcesAreNamed() {
        fails(TwoChosenSources.class, "--spring.flyway.enabled=false");

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("data source with @DuetimeDataSource must be one but there are ")
                .contains("timers", "more")
                .doesNotContain(STACK_TRACE);
    }

    @Test
    void missingTablesAreToldWithTheFileToRun() {
        fails(WithService.class, url(), "--duetime.migrate=false");

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("tables of timers must exist if duetime.migrate is false but could not be read")
                .contains("dev/duetime/jdbc/migrations/h2/V1__timers.sql")
                .contains("set duetime.migrate=true")
                .doesNotContain(STACK_TRACE);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ChosenSource extends TwoSources {
        @Bean
        @DuetimeDataSource
        DataSource timers() {
            return new DriverManagerDataSource("jdbc:h2:mem:timers-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    @Test
    void theChosenDataSourceKeepsTheTimers() {
        try (ConfigurableApplicationContext context = start(ChosenSource.class, "--spring.flyway.enabled=false")) {
            JdbcScheduleStore store = (JdbcScheduleStore) context.getBean(TimerStore.class);
            assertThat(store.dataSource()).isSameAs(context.getBean("timers"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.13", "2.7.18", "3.0.0-M1"})
    void anOldSpringBootIsRefusedByItsVersion(String version) {
        assertThatThrownBy(() -> HostCheck.springBoot(version))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessage("Spring Boot must be 3.5 or 4 for Duetime but was " + version);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OldHost {
        @Bean
        String check() {
            HostCheck.springBoot("3.4.13");
            return "checked";
        }
    }

    @Test
    void theErrorForAnOldSpringBootSaysWhatToDo() {
        fails(OldHost.class, url());

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("Spring Boot must be 3.5 or 4 for Duetime but was 3.4.13")
                .contains("Upgrade Spring Boot, or build the Scheduler without timer-spring-boot.");
    }

    @Test
    void anApplicationThatSchedulesStartsWithoutASchedulerIfToldSo() {
        try (ConfigurableApplicationContext context =
                start(WithService.class, url(), "--duetime.enabled=false", "--duetime.when-disabled=ignore")) {
            assertThat(context.getBeansOfType(Scheduler.class)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.0", "3.10.1", "4.1.0", "5.0.0-SNAPSHOT", "odd"})
    void aNewerSpringBootIsNotRefused(String version) {
        HostCheck.springBoot(version);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnClock {
        @Bean
        Clock clock() {
            return Clock.systemUTC();
        }
    }

    @Test
    void theApplicationMayHaveABeanNamedClock() {
        try (ConfigurableApplicationContext context = start(OwnClock.class, url())) {
            assertThat(context.getBean(Timers.class).now()).isNotNull();
        }
    }

    static class Listener {
        @EventListener
        void on(DeadTimer event) {
            EVENTS.add(event.key());
        }

        @EventListener
        void on(TimerEvents.Expired event) {
            EVENTS.add(event.timer().key());
        }

        @EventListener
        void on(TimerEvents.ExpiredInBulk event) {
            EVENTS.add(event.count());
        }

        @EventListener
        void on(Envelope event) {
            EVENTS.add(event.key().timerId() + " " + event.attempt());
            if (event.key().timerId().equals("fails") && event.attempt() == 1) {
                throw new IllegalStateException("once");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Events extends Virtual {
        @Bean
        Listener listener() {
            return new Listener();
        }

        @Bean
        SchedulerCustomizer types() {
            return scheduler -> scheduler.type(
                    "hopeless",
                    type -> type.retry(RetryPolicy.exponential(SOON, SOON).maxAttempts(1)));
        }
    }

    /** The methods of an own bean, since Envelope is published only if asked for. */
    static class Hopeless {
        @OnTimer("hopeless")
        void handle() {
            throw new IllegalStateException("always");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Dead extends Events {
        @Bean
        Hopeless hopeless() {
            return new Hopeless();
        }
    }

    @Test
    void deadAndExpiredTimersAreEventsOfTheApplication() {
        try (ConfigurableApplicationContext context = start(Dead.class, url())) {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Timer.after("dead", SOON).type("hopeless").build());
            timers.schedule(Timer.after("late", SOON)
                    .type("hopeless")
                    .validFor(Duration.ofSeconds(1))
                    .build());
            context.getBean(Scheduler.class).admin().pause("default");
            context.getBean(TestClock.class).advance(SOON.plusMinutes(1));
            context.getBean(Scheduler.class).admin().resume("default");
            context.getBean(TestClock.class).advance(Duration.ofMinutes(1));

            assertThat(EVENTS).containsExactlyInAnyOrder(TimerKey.of("dead"), TimerKey.of("late"));
        }
    }

    @Test
    void timersArePublishedAsEventsByOneProperty() {
        try (ConfigurableApplicationContext context = start(Events.class, url(), "--duetime.publish-events=true")) {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Timer.after("fails", SOON).build());
            timers.schedule(Timer.after("succeeds", SOON).build());
            context.getBean(TestClock.class).advance(SOON.plusMinutes(1));

            assertThat(EVENTS).containsExactlyInAnyOrder("fails 1", "succeeds 1", "fails 2");
        }
    }

    @Test
    void eventsAndHandlersOfOneQueueAreRefused() {
        fails(Dead.class, url(), "--duetime.publish-events=true");

        assertThat(output.toString())
                .contains("APPLICATION FAILED TO START")
                .contains("queue default must have a Publisher or handlers but has both")
                .contains("Hopeless#handle")
                .doesNotContain(STACK_TRACE);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithPublisher {
        @Bean
        Publisher publisher() {
            return batch -> {};
        }
    }

    @Test
    void eventsBesideAPublisherAreRefused() {
        fails(WithPublisher.class, url(), "--duetime.publish-events=true");

        assertThat(output.toString()).contains("duetime.publish-events must be false if there is a Publisher");
    }

    record Named(String orderId) {}

    @Configuration(proxyBeanMethods = false)
    static class Mapper extends Virtual {
        @Bean
        JsonMapper mapper() {
            return JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();
        }
    }

    @Test
    void theMapperOfTheApplicationWritesPayloads() {
        try (ConfigurableApplicationContext context = start(Mapper.class, url())) {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Timer.after("a", SOON).payload(new Named("17")).build());

            byte[] payload = timers.find(TimerKey.of("a"))
                    .orElseThrow()
                    .content()
                    .payload()
                    .bytes();
            assertThat(payload).asString().isEqualTo("{\"order_id\":\"17\"}");
        }
    }

    @Test
    void propertiesSetUpSingleQueues() {
        try (ConfigurableApplicationContext context =
                start(Virtual.class, url(), "--duetime.queues.mails.shards=3", "--duetime.queues[a.b].retention=0")) {
            Timers timers = context.getBean(Timers.class);
            timers.schedule(Timer.after("m", SOON).queue("mails").build());
            timers.schedule(Timer.after("ab", SOON).queue("a.b").build());

            assertThat(timers.find(TimerKey.of("m"))).isPresent();
            assertThat(context.getBean(ScheduleStore.class)
                            .leases()
                            .view("mails")
                            .leases())
                    .hasSize(3);
        }
    }

    @Test
    void aWrongPropertyOfAQueueIsNamed() {
        fails(Virtual.class, url(), "--duetime.queues.mails.concurrency=0");

        assertThat(output.toString())
                .contains("Invalid value '0' for configuration property 'duetime.queues.mails.concurrency'")
                .contains("concurrency must be");
    }

    @Test
    void aDurationOfAQueueNeedsItsUnit() {
        fails(Virtual.class, url(), "--duetime.queues.mails.retention=7");

        assertThat(output.toString()).contains("queues[mails].retention must have a unit, such as 7d or 7s, but was 7");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Worker {
        @Bean
        Hopeless hopeless() {
            return new Hopeless();
        }
    }

    private static boolean isKeptAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals("duetime-keep-alive") && !each.isDaemon());
    }

    @Test
    void aWorkerWithoutAWebServerStaysAliveUntilItIsStopped() throws InterruptedException {
        ConfigurableApplicationContext context = start(Worker.class, url());
        assertThat(isKeptAlive()).isTrue();

        SpringApplication.exit(context);

        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("duetime-keep-alive")) {
                each.join(10_000);
            }
        }
        assertThat(isKeptAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--duetime.keep-alive=false", "--duetime.auto-startup=false"})
    void aProgramThatOnlySchedulesEnds(String setting) {
        try (ConfigurableApplicationContext context = start(Worker.class, url(), setting)) {
            assertThat(context.getBean(Timers.class)).isNotNull();
            assertThat(isKeptAlive()).isFalse();
        }
    }

    @Test
    void aProgramWithoutPublisherAndHandlersEnds() {
        try (ConfigurableApplicationContext context = start(WithService.class, url())) {
            assertThat(context.getBean(Scheduler.class).admin().health().running())
                    .isTrue();
            assertThat(isKeptAlive()).isFalse();
        }
    }

    @Test
    void theEndpointShowsQueuesAndPausesOne() {
        try (ConfigurableApplicationContext context = start(Dead.class, url())) {
            DuetimeEndpoint endpoint =
                    new DuetimeEndpoint(context.getBean(Scheduler.class), context.getBean(DuetimeProperties.class));

            assertThat(endpoint.overview()).containsEntry("up", true).containsKeys("node", "queues");
            assertThat(endpoint.pause("default", true, "maintenance")).containsEntry("changed", true);
            assertThat(endpoint.overview().get("queues")).asString().contains("maintenance", "actuator");
            assertThat(endpoint.pause("default", false, null))
                    .isEqualTo(Map.of("queue", "default", "paused", false, "changed", true));
        }
    }
}
