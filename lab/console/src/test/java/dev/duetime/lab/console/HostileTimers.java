package dev.duetime.lab.console;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Timers whose every text tries to be something else, on real nodes in virtual time; and a tenant to be hidden. */
final class HostileTimers {
    static final String QUEUE = "<i>q\"'&;";
    static final String SECRET_TENANT = "hidden-tenant";
    /** Is part of each text of the hidden tenant. */
    static final String SECRET = "SECRETDATA";
    /** Is part of each payload. */
    static final String PAYLOAD = "PAYLOADDATA";

    static final List<String> TEXTS = List.of(
            "<script>hacked()</script>",
            "\"><img src=x onerror=hacked()>",
            "' onmouseover='hacked()' x='",
            "&lt;b&gt;&amp;&#60;i&#62;",
            "javascript:hacked()",
            "--><!-- ]]> <!doctype",
            "${7*7}{{7*7}}#{7*7}<%= 7 %>",
            "\\u0022);System.exit(0);//\\",
            "\u202Egnp.exe\u2066\u200B\uFEFF\u2028\u00AD",
            "\uD83D\uDE00\uD840\uDC00e\u0301\u00A0\uE000\uFFFD",
            "../..//evil.example/a?b=c&d=e#f;g",
            "%00%0d%0aX-Bad:%201+%zz",
            " ",
            "x".repeat(255),
            "<b>".repeat(85));

    private HostileTimers() {}

    /** Returns nodes on a store, which hold such timers in each state. */
    static TimerKit on(ScheduleStore store) {
        TodoQueue todos = TodoQueue.builder("<b>todos")
                .type("<u>order", String.class, (todo, run) -> Outcome.complete())
                .build();
        TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(settings -> settings.nodeId("<b>node\"'&")
                        .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(1))
                        .todoQueue(todos)
                        .queue(QUEUE, queue -> queue.publisher(HostileTimers::fail)))
                .build();
        fill(kit, store);
        for (String text : TEXTS) {
            todos.enqueue(NewTodo.of("<u>order", PAYLOAD + text)
                    .key(TimerKey.of(tenant(text), text))
                    .step("<b>step")
                    .startAfter(Duration.ofDays(1)));
        }
        kit.scheduler().admin().by("<u>anna\"'").pause(QUEUE, TEXTS.get(0) + TEXTS.get(8));
        return kit;
    }

    static String tenant(String text) {
        return text.equals(TEXTS.get(0)) ? "open" : text;
    }

    private static void fill(TimerKit kit, ScheduleStore store) {
        Duration soon = Duration.ofSeconds(1);
        kit.scheduler().schedule(Timer.after("good", soon).queue(QUEUE).build());
        for (String text : TEXTS) {
            TimerKey key = TimerKey.of(tenant(text), text);
            kit.scheduler().schedule(timer(Timer.after(key, soon), text));
            store.todos().put(List.of(new ListItem(new ListKey(list(text), text), kit.now())));
        }
        List<TimerKey> hidden = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            hidden.add(TimerKey.of(SECRET_TENANT, SECRET + i));
        }
        hidden.forEach(key -> kit.scheduler().schedule(timer(Timer.after(key, soon), SECRET)));
        kit.advance(Duration.ofSeconds(5));
        for (String text : TEXTS) {
            TimerKey later = TimerKey.of(tenant(text), "later" + text.substring(0, Math.min(200, text.length())));
            kit.scheduler().schedule(timer(Timer.after(later, Duration.ofHours(1)), text));
            TimerKey again = TimerKey.of(tenant(text), "again" + text.substring(0, Math.min(200, text.length())));
            kit.scheduler().schedule(timer(Timer.recurring(again, Recurrence.every(Duration.ofHours(7))), text));
        }
        kit.scheduler()
                .schedule(timer(
                        Timer.recurring(
                                TimerKey.of(SECRET_TENANT, SECRET + "again"), Recurrence.every(Duration.ofHours(1))),
                        SECRET));
        // The nodes write down what they deliver while somebody looks.
        kit.scheduler().admin().activity();
        kit.advance(Duration.ofSeconds(6));
    }

    /** Names of lists and queues are names of the program, and are refused if they are invisible. */
    private static String list(String text) {
        return text.startsWith("\u202E") ? "<b>list" : text.substring(0, Math.min(60, text.length()));
    }

    private static Timer timer(Timer.Builder timer, String text) {
        return timer.queue(QUEUE)
                .type(text)
                .correlationId(text)
                .parallelKey(text)
                .header("h" + text.substring(0, Math.min(200, text.length())), text)
                .payload(Map.of(PAYLOAD, text))
                .build();
    }

    /** Lets all but one fail, each with a message of its own: even one that no database takes as it is. */
    private static void fail(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failures = new LinkedHashMap<>();
        for (Envelope each : batch) {
            if (!each.key().timerId().equals("good")) {
                failures.put(
                        each.id(),
                        new IllegalStateException(each.type() + "\r\nX-Bad: 1\u0000\uD800"
                                + each.key().timerId()));
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }
}
