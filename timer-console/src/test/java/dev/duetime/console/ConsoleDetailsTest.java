package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.console.internal.page.Links;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that each condition of a list counts, and that a page shows all of its timer. */
class ConsoleDetailsTest extends ConsoleKit {

    @Test
    void eachConditionInTheAddressLeavesOutOtherTimers() {
        kit.scheduler()
                .schedule(Timer.after(TimerKey.of("acme", "wanted"), HOUR)
                        .queue("mail")
                        .type("invoice")
                        .correlationId("order-1")
                        .parallelKey("customer-1")
                        .build());
        kit.scheduler()
                .schedule(Timer.after(TimerKey.of("default", "other"), HOUR.multipliedBy(3))
                        .type("reminder")
                        .correlationId("order-2")
                        .parallelKey("customer-2")
                        .build());
        dead(TimerKey.of("default", "failed"));

        for (String condition : List.of(
                "queue=mail",
                "tenant=acme",
                "type=invoice&state=scheduled",
                "prefix=want",
                "correlation=order-1",
                "parallel=customer-1",
                "from=2030-01-01T00:30&before=2030-01-01T02:00",
                "from=2030-01-01T00:30:00Z&before=2030-01-01T02:00:00Z")) {
            assertThat(page("/timers?" + condition))
                    .as(condition)
                    .contains(">wanted</a>")
                    .doesNotContain(">other</a>", ">failed</a>");
        }
        assertThat(page("/timers?from=2030-01-01T02:00")).contains(">other</a>").doesNotContain(">wanted</a>");
        assertThat(page("/timers?before=2030-01-01T02:00"))
                .contains(">wanted</a>")
                .doesNotContain(">other</a>");
        assertThat(page("/timers?error=java.io.IOException"))
                .contains(">failed</a>")
                .doesNotContain(">wanted</a>", ">other</a>");
    }

    @Test
    void aTodoShowsItsStepAndQueueAndNoJava() {
        TodoQueue orders = TodoQueue.builder("orders")
                .type("order", String.class, (todo, run) -> Outcome.complete())
                .build();
        TimerKit todos = TimerKit.builder()
                .configure(settings -> settings.todoQueue(orders))
                .build();
        orders.enqueue(NewTodo.of("order", "x").id("42").step("pay").startAfter(HOUR));
        console = Console.of(todos.scheduler()).build(Runnable::run, Duration.ZERO);

        assertThat(page(new Links("").timer(orders.key("42"))))
                .contains(
                        "Todo <b>42</b>", "<dt>Step</dt><dd><code>pay</code>", "<dt>Queue</dt><dd><code>orders</code>")
                .doesNotContain("Copy as Java");
        assertThat(page("/timers?queue=orders")).contains("scope=orders");
    }

    @Test
    void aPayloadIsShownAsTextAsJsonOrInHexadecimalAndNeverInAList() {
        byte[] binary = new byte[5_000];
        binary[0] = (byte) 0xff;
        binary[1] = 0x1a;
        List<byte[]> payloads = List.of(
                binary,
                "{\"a\":[1,{\"b\":\"c, d: {\"}]}".getBytes(StandardCharsets.UTF_8),
                "caf\u00e9 <script>".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < payloads.size(); i++) {
            kit.scheduler()
                    .schedule(Timer.after("p" + i, HOUR)
                            .payload(Payload.of(payloads.get(i)))
                            .build());
        }
        console = Console.of(kit.scheduler()).showPayloads().build(Runnable::run, Duration.ZERO);

        assertThat(page("/timer?tenant=default&id=p0"))
                .contains("5,000 bytes", "ff 1a 00 00", "…")
                .doesNotContain("<details open");
        assertThat(page("/timer?tenant=default&id=p1"))
                .contains("{\n  &quot;a&quot;: [\n    1,\n    {\n      &quot;b&quot;: &quot;c, d: {&quot;");
        assertThat(page("/timer?tenant=default&id=p2"))
                .contains("caf\u00e9 &lt;script&gt;")
                .doesNotContain("<script>");
        assertThat(page("/timers")).doesNotContain("ff 1a", "caf\u00e9", "&quot;a&quot;");
    }

    @Test
    void aQueueShowsWhenTheLeaseOfEachNodeEnds() {
        kit.advance(Duration.ofSeconds(10));

        assertThat(page("/queue?name=mail"))
                .containsPattern("<code>node-0[^<]*</code> \\d+ shards?, lease ends in \\d+ s")
                .containsPattern("aria-label=\"(\\d+) of \\1 shards have an owner\"");
    }
}
