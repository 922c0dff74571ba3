package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.duetime.CancelResult;
import dev.duetime.Publisher;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.hosts.HostSet;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.spring.autoconfigure.DuetimeAutoConfiguration;
import dev.duetime.spring.internal.properties.PropertySettings;
import dev.duetime.spring.properties.DuetimeProperties;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests of schedulers that are set up by the application's beans and properties. */
class DuetimeAutoConfigurationTest {
    private static final Timer TIMER = Applications.timer("order-17", "payment-timeout");

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    private ApplicationContextRunner published() {
        return Applications.runner().withBean(Publisher.class, () -> publisher);
    }

    @Test
    void aTimerIsDeliveredToThePublisherBean() {
        published().run(context -> {
            context.getBean(Timers.class).schedule(TIMER);

            context.getBean(TestClock.class).advance(Duration.ofMinutes(15));

            assertThat(publisher.delivered("order-17")).hasSize(1);
        });
    }

    @Test
    void withoutADataSourceThereIsNoScheduler() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DuetimeAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Scheduler.class));
    }

    @Test
    void anApplicationsOwnSchedulerReplacesThisOne() {
        InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());
        published()
                .withBean(
                        "own",
                        Scheduler.class,
                        () -> Scheduler.builder().store(store).build())
                .run(context -> {
                    assertThat(context).hasSingleBean(Scheduler.class).hasSingleBean(Timers.class);
                    assertThat(context.getBean(Timers.class)).isSameAs(context.getBean("own"));
                });
    }

    @Test
    void aStoreOfTheApplicationsOwnIsUsed() {
        InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());
        published().withBean(ScheduleStore.class, () -> store).run(context -> {
            context.getBean(Timers.class).schedule(TIMER);

            assertThat(store.find(TIMER.key())).isPresent();
        });
    }

    @Test
    void aHostSetOfTheApplicationsOwnIsUsed() {
        InMemoryScheduleStore store = new InMemoryScheduleStore(new TestClock());
        published()
                .withBean(
                        HostSet.class, () -> HostSet.builder().host("a", store).build())
                .run(context -> {
                    context.getBean(Timers.class).schedule(TIMER);

                    assertThat(store.find(TIMER.key())).isPresent();
                    assertThat(context).doesNotHaveBean(ScheduleStore.class);
                });
    }

    @Test
    void disabledTimersStartTheApplicationAndFailEachCall() {
        published().withPropertyValues("duetime.enabled=false").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Scheduler.class);
            assertThatThrownBy(() -> context.getBean(Timers.class).schedule(TIMER))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("duetime.enabled must be true")
                    .hasMessageContaining("duetime.when-disabled=ignore");
        });
    }

    @Test
    void disabledTimersCanIgnoreCalls() {
        published()
                .withPropertyValues("duetime.enabled=false", "duetime.when-disabled=ignore")
                .run(context -> {
                    Timers timers = context.getBean(Timers.class);

                    assertThat(timers.schedule(TIMER).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
                    assertThat(timers.cancel(TIMER.key())).isEqualTo(CancelResult.NOT_FOUND);
                    assertThat(timers.find(TIMER.key())).isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"maybe", "on", "off", "1", ""})
    void enabledIsTrueOrFalse(String value) {
        published()
                .withPropertyValues("duetime.enabled=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("enabled must be true or false but was " + value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE", "False"})
    void enabledMayBeWrittenInCapitals(String value) {
        published()
                .withPropertyValues("duetime.enabled=" + value)
                .run(context -> assertThat(context.getBeansOfType(Scheduler.class))
                        .hasSize(value.equalsIgnoreCase("true") ? 1 : 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"retention=7", "poll-interval=5", "health-tolerance= 60 "})
    void aDurationWithoutAUnitIsRefused(String bare) {
        published()
                .withPropertyValues("duetime." + bare)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("must have a unit, such as"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits.mail.period=60",
                "limits.mail.tenant-period=60",
                "limits[mail.DE].period=60",
                "queues[mail.DE].retention=7"
            })
    void aDurationOfAQueueWithoutAUnitIsRefused(String bare) {
        published()
                .withPropertyValues("duetime." + bare)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("must have a unit, such as"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"period=1m", "burst=5", "tenant-period=1m", "tenant-burst=5"})
    void aPartOfALimitWithoutItsRateIsRefused(String part) {
        String rate = part.startsWith("tenant") ? "limits.mail.tenant-rate" : "limits.mail.rate";
        published()
                .withPropertyValues("duetime.limits.mail." + part)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("duetime." + rate)
                        .hasMessageContaining("must be set"));
    }

    @Test
    void zeroNeedsNoUnit() {
        published()
                .withPropertyValues("duetime.retention=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutAutoStartupANodeSchedulesAndLeavesDeliveryToOthers() {
        published().withPropertyValues("duetime.auto-startup=false").run(context -> {
            context.getBean(Timers.class).schedule(TIMER);
            context.getBean(TestClock.class).advance(Duration.ofDays(1));

            assertThat(publisher.delivered()).isEmpty();
            assertThat(context.getBean(Scheduler.class).find(TIMER.key())).isPresent();
        });
    }

    @Test
    void propertiesReachTheScheduler() {
        published()
                .withPropertyValues("duetime.max-payload-bytes=10", "duetime.node-id=a", "duetime.valid-for=1m")
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    scheduler.schedule(TIMER);

                    assertThat(scheduler.admin().health().nodeId()).startsWith("a-");
                    assertThat(scheduler
                                    .find(TIMER.key())
                                    .orElseThrow()
                                    .content()
                                    .expiresAt())
                            .isEqualTo(TestClock.START.plus(Duration.ofMinutes(16)));
                    assertThat(catchThrowable(
                                    () -> scheduler.schedule(TimerKey.of("b"), Duration.ZERO, "more than ten bytes")))
                            .hasMessageContaining("10");
                });
    }

    @Test
    void aCustomizerHasTheLastWord() {
        InMemoryPublisher mail = new InMemoryPublisher();
        published()
                .withPropertyValues("duetime.node-id=a")
                .withBean(
                        SchedulerCustomizer.class,
                        () -> builder -> builder.nodeId("b").queue("mail", queue -> queue.publisher(mail)))
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    scheduler.schedule(
                            Timer.after("x", Duration.ZERO).queue("mail").build());
                    context.getBean(TestClock.class).runDue();

                    assertThat(mail.delivered("x")).hasSize(1);
                    assertThat(scheduler.admin().health().nodeId()).startsWith("b-");
                });
    }

    @Test
    void aWrongValueIsRefusedWithTheNameOfItsProperty() {
        published()
                .withPropertyValues("duetime.batch-size=0")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessage("Property duetime.batch-size with value '0' is invalid: "
                                + "batchSize must be between 1 and 10000 but was 0"));
        published()
                .withPropertyValues("duetime.health-tolerance=-1s")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("duetime.health-tolerance"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "poll-interval=0s",
                "batch-size=0",
                "concurrency=0",
                "shards=501",
                "retention=-1s",
                "valid-for=0s",
                "lease-duration=1ms",
                "close-timeout=2h",
                "occurrence-history=1s",
                "max-payload-bytes=0",
                "node-id=\u0000",
                "limits.mail.concurrency=0",
                "limits.mail.parallel-key=1001",
                "limits.mail.rate=0",
                "limits.mail.tenant-rate=1000001",
                "health-tolerance=-1s"
            })
    void eachPropertyIsChecked(String wrong) {
        String name = "duetime." + wrong.substring(0, wrong.indexOf('='));
        String value = wrong.substring(wrong.indexOf('=') + 1);
        DuetimeProperties properties = new Binder(new MapConfigurationPropertySource(Map.of(name, value)))
                .bind("duetime", DuetimeProperties.class)
                .get();

        assertThatThrownBy(() -> {
                    PropertySettings.check(properties);
                    PropertySettings.apply(properties, Scheduler.builder());
                })
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, refused -> {
                    assertThat(refused.getName()).isEqualTo(name);
                    assertThat(refused.getReason()).contains("must ", " but ");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "poll-interval, 0s, pollInterval",
        "batch-size, 0, batchSize",
        "concurrency, 0, concurrency",
        "shards, 501, shards",
        "retention, -1s, retention",
        "valid-for, 0s, validFor"
    })
    void eachPropertyOfAQueueIsChecked(String property, String value, String setting) {
        String name = "duetime.queues.mail." + property;
        DuetimeProperties properties = new Binder(new MapConfigurationPropertySource(Map.of(name, value)))
                .bind("duetime", DuetimeProperties.class)
                .get();

        assertThatThrownBy(() -> PropertySettings.applyQueues(properties, Scheduler.builder()))
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, refused -> {
                    assertThat(refused.getName()).isEqualTo(name);
                    assertThat(refused.getReason()).startsWith(setting + " must ");
                });
    }

    @Test
    void anUnknownPropertyIsRefused() {
        published()
                .withPropertyValues("duetime.pol-interval=1s")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("duetime.pol-interval"));
    }

    @Test
    void theStoreMatchesTheDatabase() {
        published()
                .run(context -> assertThat(context.getBean(ScheduleStore.class)).isInstanceOf(JdbcScheduleStore.class));
    }
}
