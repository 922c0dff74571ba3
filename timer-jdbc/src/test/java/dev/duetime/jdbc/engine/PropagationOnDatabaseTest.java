package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A trace goes through real databases. */
class PropagationOnDatabaseTest {
    private static final SdkTracerProvider TRACING = SdkTracerProvider.builder().build();

    @ParameterizedTest
    @EnumSource
    void aTraceReachesTheEnvelopeAndARepeatFromAnotherSpanIsUnchanged(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(scheduler -> scheduler.propagation(headers ->
                                W3CTraceContextPropagator.getInstance().inject(Context.current(), headers, Map::put)))
                        .build()) {
            Timer timer = Timer.at("a", kit.now().plusSeconds(1))
                    .header("h", "1")
                    .payload("p")
                    .build();
            Span caller = TRACING.get("test").spanBuilder("request").startSpan();
            Span retry = TRACING.get("test").spanBuilder("request again").startSpan();

            assertThat(schedule(kit, timer, caller).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(schedule(kit, timer, retry).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
            kit.advance(Duration.ofSeconds(1));

            Envelope envelope = kit.delivered("a").get(0);
            SpanContext received = Span.fromContext(W3CTraceContextPropagator.getInstance()
                            .extract(Context.root(), envelope.headers(), new HeaderGetter()))
                    .getSpanContext();
            assertThat(received.getTraceId()).isEqualTo(caller.getSpanContext().getTraceId());
            assertThat(received.getSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
            assertThat(envelope.headers()).containsEntry("h", "1").hasSize(2);
        }
    }

    private static ScheduleResult schedule(TimerKit kit, Timer timer, Span span) {
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            return kit.scheduler().schedule(timer);
        } finally {
            span.end();
        }
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
