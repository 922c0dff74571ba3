package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Propagation;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.specification.StoppedClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how the caller's context travels from {@code schedule} to the envelope. */
class PropagationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final SdkTracerProvider TRACING = SdkTracerProvider.builder().build();

    private final List<SpanContext> received = new ArrayList<>();
    private final TimerKit kit =
            kit(headers -> W3CTraceContextPropagator.getInstance().inject(Context.current(), headers, Map::put));

    private static TimerKit kit(Propagation propagation) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler.propagation(propagation))
                .build();
    }

    private static Span span() {
        return TRACING.get("test").spanBuilder("request").startSpan();
    }

    private SpanContext inSpan(Runnable work) {
        Span span = span();
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            work.run();
        } finally {
            span.end();
        }
        return span.getSpanContext();
    }

    @Test
    void theTraceOfTheCallerIsTheParentOfTheDelivery() {
        kit.publisher().onEach(envelope -> {
            Context context = W3CTraceContextPropagator.getInstance()
                    .extract(Context.root(), envelope.headers(), new HeaderGetter());
            received.add(Span.fromContext(context).getSpanContext());
        });

        SpanContext caller =
                inSpan(() -> kit.scheduler().schedule(Timer.after("a", SECOND).build()));
        kit.advance(SECOND);

        assertThat(received).hasSize(1);
        assertThat(received.get(0).getTraceId()).isEqualTo(caller.getTraceId());
        assertThat(received.get(0).getSpanId()).isEqualTo(caller.getSpanId());
        assertThat(received.get(0).isRemote()).isTrue();
        assertThat(received.get(0).isSampled()).isTrue();
    }

    @Test
    void aRepeatFromAnotherSpanKeepsTheFirstTrace() {
        Timer timer = Timer.at("a", kit.now().plus(SECOND)).payload("p").build();
        SpanContext first = inSpan(() -> kit.scheduler().schedule(timer));

        inSpan(() -> assertThat(kit.scheduler().schedule(timer)).isUnchanged());
        kit.advance(SECOND);

        assertThat(kit.delivered("a").get(0).headers().get("traceparent")).contains(first.getTraceId());
    }

    @Test
    void withoutASpanNothingIsAdded() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND);

        assertThat(kit.delivered("a").get(0).headers()).isEmpty();
    }

    @Test
    void aHeaderOfTheTimerWins() {
        inSpan(() -> kit.scheduler()
                .schedule(Timer.after("a", SECOND)
                        .header("traceparent", "mine")
                        .header("h", "1")
                        .build()));
        kit.advance(SECOND);

        assertThat(kit.delivered("a").get(0).headers()).isEqualTo(Map.of("traceparent", "mine", "h", "1"));
    }

    @Test
    void propagationIsAskedOnceInTheCallersThread() {
        List<Thread> asked = new ArrayList<>();
        InMemoryScheduleStore store = new InMemoryScheduleStore(new StoppedClock());
        TimerKit counting = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.propagation(headers -> {
                    asked.add(Thread.currentThread());
                    headers.put("traceparent", "t");
                }))
                .build();
        try (InMemoryTransaction transaction = store.begin()) {
            counting.scheduler()
                    .in(transaction)
                    .scheduleAll(List.of(
                            Timer.after("a", SECOND).build(),
                            Timer.after("b", SECOND).build()));
            transaction.commit();
        }

        assertThat(asked).containsExactly(Thread.currentThread());
        assertThat(counting.scheduler().query(TimerQuery.all()))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.content().headers()).containsEntry("traceparent", "t"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "links wrongly", "has a control character", "is too long", "are too many"})
    void aFailingPropagationDoesNotPreventScheduling(String what) {
        TimerKit broken = kit(headers -> {
            headers.put("traceparent", "t");
            switch (what) {
                case "throws" -> throw new IllegalStateException("broken");
                case "links wrongly" -> throw new NoClassDefFoundError("broken");
                case "has a control character" -> headers.put("tracestate", "a\nb");
                case "is too long" -> headers.put("tracestate", "x".repeat(4_097));
                default -> {
                    for (int i = 0; i < 64; i++) {
                        headers.put("h-" + i, "");
                    }
                }
            }
        });

        broken.scheduler().schedule(Timer.after("a", SECOND).header("h", "1").build());
        broken.advance(SECOND);

        assertThat(broken).hasDeliveredOnce("a");
        assertThat(broken.delivered("a").get(0).headers()).isEqualTo(Map.of("h", "1"));
    }

    /** A reader of an envelope's headers. */
    private static final class HeaderGetter implements TextMapGetter<Map<String, String>> {
        @Override
        public Iterable<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> headers, String name) {
            return headers == null ? null : headers.get(name);
        }
    }
}
