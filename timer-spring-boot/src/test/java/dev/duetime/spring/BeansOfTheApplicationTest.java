package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.PayloadCodec;
import dev.duetime.Propagation;
import dev.duetime.Publisher;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.Timers;
import dev.duetime.testkit.InMemoryPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

/** Tests of beans of the application that the scheduler uses. */
class BeansOfTheApplicationTest {
    private static final Timer TIMER =
            Timer.after("a", Duration.ofMinutes(15)).payload("paid").build();

    private static <T> ApplicationContextRunner with(Class<T> type, Supplier<T> bean) {
        return Applications.runner()
                .withBean(Publisher.class, InMemoryPublisher::new)
                .withBean(type, bean);
    }

    private static TimerContent scheduled(Timers timers) {
        timers.schedule(TIMER);
        return timers.find(TIMER.key()).orElseThrow().content();
    }

    /** Text between angle brackets, which is no JSON. */
    private static final class Bracketed implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            return ("<" + payload + ">").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            return type.cast(text.substring(1, text.length() - 1));
        }
    }

    @Test
    void theCodecOfTheApplicationWritesAndReadsPayloads() {
        with(PayloadCodec.class, Bracketed::new).run(context -> {
            TimerContent content = scheduled(context.getBean(Timers.class));

            assertThat(content.payload().bytes()).asString().isEqualTo("<paid>");
            assertThat(content.payload().as(String.class)).isEqualTo("paid");
        });
    }

    @Test
    void theCodecOfTheApplicationComesBeforeItsMapper() {
        with(PayloadCodec.class, Bracketed::new)
                .withBean(JsonMapper.class, JsonMapper::new)
                .run(context -> assertThat(scheduled(context.getBean(Timers.class))
                                .payload()
                                .bytes())
                        .asString()
                        .isEqualTo("<paid>"));
    }

    @Test
    void thePropagationOfTheApplicationAddsHeaders() {
        with(Propagation.class, () -> headers -> headers.put("traceparent", "00-trace-span-01"))
                .run(context -> assertThat(
                                scheduled(context.getBean(Timers.class)).headers())
                        .containsEntry("traceparent", "00-trace-span-01"));
    }
}
