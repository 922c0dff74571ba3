package dev.duetime.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.spring.OnTimer;
import dev.duetime.spring.OnTodo;
import dev.duetime.spring.TodoHandlers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** What beans and properties set up, in real time, on each Spring Boot that we support. */
@Timeout(60)
class PropertiesTest {
    private static final int VIRTUAL_SINCE = 21;
    private static final int TIMERS = 8;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Team {
        @Bean
        Mails mails(Timers timers, TodoQueue receipts) {
            return new Mails(timers, receipts);
        }

        @Bean
        TodoQueue receipts(TodoHandlers handlers) {
            return handlers.queue("receipts").build();
        }

        @Bean
        JsonMapper mapper() {
            return JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();
        }
    }

    /** A service that schedules and enqueues, and is called back. */
    static class Mails {
        private final CyclicBarrier two = new CyclicBarrier(2);
        private final CountDownLatch receipts = new CountDownLatch(TIMERS);
        private final Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        private final Timers timers;
        private final TodoQueue queue;

        Mails(Timers timers, TodoQueue queue) {
            this.timers = timers;
            this.queue = queue;
        }

        void send(int orderId) {
            timers.schedule(Timer.after("mail-" + orderId, Duration.ZERO)
                    .queue("mails")
                    .type("mail")
                    .payload(new PaymentTimeout("order-" + orderId))
                    .build());
        }

        /** Two calls wait for each other. */
        @OnTimer(value = "mail", queue = "mails")
        public void mail(PaymentTimeout mail) throws Exception {
            two.await(20, TimeUnit.SECONDS);
            virtual.add(isVirtual());
            queue.enqueue(NewTodo.of("receipt", mail));
        }

        @OnTodo(queue = "receipts", type = "receipt")
        public void receipt(PaymentTimeout mail) {
            receipts.countDown();
        }

        private static boolean isVirtual() throws ReflectiveOperationException {
            return Runtime.version().feature() >= VIRTUAL_SINCE
                    && Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()) == Boolean.TRUE;
        }
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(Team.class)
                .properties(
                        "spring.config.name=none",
                        "spring.main.web-application-type=none",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
                .run(arguments);
    }

    @Test
    void severalCallsOfOneQueueRunAtOnceInVirtualThreadsWhereJavaHasThem() throws InterruptedException {
        try (ConfigurableApplicationContext context = start(
                "--duetime.queues.mails.concurrency=2",
                "--duetime.queues.mails.batch-size=1",
                "--duetime.queues.mails.shards=3",
                "--spring.threads.virtual.enabled=true")) {
            Mails mails = context.getBean(Mails.class);
            for (int i = 0; i < TIMERS; i++) {
                mails.send(i);
            }

            assertThat(mails.receipts.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(mails.virtual).containsExactly(Runtime.version().feature() >= VIRTUAL_SINCE);
            assertThat(context.getBean(ScheduleStore.class)
                            .leases()
                            .view("mails")
                            .leases())
                    .hasSize(3);
            assertThat(context.containsBean("duetimeHealthIndicator")).isTrue();
        }
    }

    @Test
    void theMapperOfTheApplicationWritesPayloadsAndHealthCanBeTurnedOff() {
        try (ConfigurableApplicationContext context = start(
                "--duetime.auto-startup=false",
                "--duetime.queues.mails.valid-for=7m",
                "--management.health.duetime.enabled=false")) {
            context.getBean(Mails.class).send(17);

            assertThat(context.getBean(Timers.class).find(TimerKey.of("mail-17")))
                    .hasValueSatisfying(stored -> {
                        assertThat(stored.content().payload().bytes())
                                .asString(StandardCharsets.UTF_8)
                                .isEqualTo("{\"order_id\":\"order-17\"}");
                        assertThat(stored.content().expiresAt())
                                .isEqualTo(stored.content().dueAt().plus(Duration.ofMinutes(7)));
                    });
            assertThat(context.containsBean("duetimeHealthIndicator")).isFalse();
        }
    }

    @Test
    void thePropertyOfHealthIsDescribedToEditors() throws IOException {
        StringBuilder descriptions = new StringBuilder();
        for (URL file : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            descriptions.append(new String(file.openStream().readAllBytes(), StandardCharsets.UTF_8));
        }

        assertThat(descriptions).contains("\"management.health.duetime.enabled\"", "\"duetime.queues\"");
    }
}
