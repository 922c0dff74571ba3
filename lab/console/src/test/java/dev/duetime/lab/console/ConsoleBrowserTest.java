package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.console.Console;
import dev.duetime.console.ConsoleServer;
import dev.duetime.console.Grant;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that each screen is readable and usable by everybody in a real browser, whatever it shows. */
class ConsoleBrowserTest extends BrowserTest {
    private static final String HOSTILE = "<img src=x onerror=window.hacked=1>\"'><script>window.hacked=1</script>";
    /** The screens that docs/console.md shows. */
    private static final Set<String> DOCUMENTED = Set.of("overview", "queue", "dead-timer");

    private static final int LARGEST_PICTURE = 150_000;

    private final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.retry(
                            RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(1))
                    .queue("reminders", queue -> queue.publisher(batch -> {})))
            .build();
    private ConsoleServer server;

    @BeforeAll
    void seed() {
        kit.addNode(settings -> settings.queue("reminders", queue -> queue.publisher(batch -> {})));
        kit.publisher().failPartiallyOn(each -> !each.type().equals("ping"));
        kit.scheduler()
                .schedule(
                        Timer.after("good", Duration.ofSeconds(1)).type("ping").build());
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 100)
                        .mapToObj(i -> Timer.after(
                                        TimerKey.of("acme", "invoice-%04d".formatted(i)), Duration.ofSeconds(1))
                                .type("invoice")
                                .correlationId("order-" + i)
                                .build())
                        .toList());
        kit.scheduler()
                .schedule(Timer.after(TimerKey.of("acme", HOSTILE), Duration.ofSeconds(1))
                        .type(HOSTILE)
                        .correlationId(HOSTILE)
                        .header("x-hostile", HOSTILE)
                        .build());
        kit.advance(Duration.ofMinutes(2));
        kit.publisher().recover();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 400)
                        .mapToObj(i -> Timer.after(
                                        TimerKey.of("acme", "reminder-" + i), Duration.ofSeconds(20 + (i * i) / 45))
                                .type("reminder")
                                .queue(i % 3 == 0 ? "reminders" : "default")
                                .payload(Map.of("to", HOSTILE, "amount", i))
                                .build())
                        .toList());
        // The nodes write down what they deliver while somebody looks.
        kit.scheduler().admin().activity();
        kit.advance(Duration.ofSeconds(6));
        kit.scheduler().admin().by("anna").pause("reminders", "the mail provider is being moved, back at 4:00");
        server = ConsoleServer.start(
                Console.of(kit.scheduler()).basePath("/ops").showPayloads(), new InetSocketAddress("localhost", 0));
    }

    @BeforeEach
    void light() throws IOException, InterruptedException {
        browser.size(1280, 900);
        browser.dark(false);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Returns every screen: those of the navigation, and those behind them. */
    private Map<String, String> all() throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(Map.of(
                "queue", "queue?name=default&span=hour",
                "timers-next", "timers?queue=default&order=wake",
                "timers-of-acme", "timers?tenant=acme&prefix=reminder",
                "timer", "timer?tenant=acme&id=reminder-17",
                "dead-timer", "timer?tenant=acme&id=invoice-0007",
                "refused", "timers?state=nonsense"));
        for (String each : screens(server)) {
            all.put(each.isEmpty() ? "overview" : each, each);
        }
        return all;
    }

    @Test
    void everyScreenIsAccessibleInLightAndDarkAndFitsEachWindow() throws Exception {
        List<String> findings = new ArrayList<>();
        for (Map.Entry<String, String> screen : all().entrySet()) {
            go(server, screen.getValue());
            for (boolean dark : new boolean[] {false, true}) {
                browser.dark(dark);
                browser.size(1280, 900);
                for (String each : Axe.findings(browser)) {
                    findings.add(screen.getKey() + (dark ? " dark: " : " light: ") + each);
                }
                Path picture = PICTURES.resolve(screen.getKey() + (dark ? "-dark.png" : "-light.png"));
                browser.screenshot(picture);
                if (DOCUMENTED.contains(screen.getKey())) {
                    assertThat(Files.size(picture)).as(picture.toString()).isLessThan(LARGEST_PICTURE);
                }
            }
            // 640 pixels are a window of 1,280 at a zoom of 200 %.
            for (int width : new int[] {640, 400}) {
                fits(screen.getKey(), width);
            }
            browser.screenshot(PICTURES.resolve(screen.getKey() + "-400.png"));
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void noTextOfAUserBecomesMarkup() throws Exception {
        String hostile = URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8);
        List<String> addresses = new ArrayList<>(all().values());
        for (String name : new String[] {"type", "prefix", "correlation", "error", "tenant", "parallel", "queue"}) {
            addresses.add("timers?state=dead&" + name + "=" + hostile);
        }
        addresses.add("timer?tenant=acme&id=" + hostile);
        addresses.add("dead?done=" + hostile);
        addresses.add("queue?name=" + hostile);
        addresses.add("timers?state=" + hostile);
        addresses.add(hostile);
        for (String address : addresses) {
            browser.go(at(server, address));
            browser.until("document.readyState === 'complete'");
            assertThat(holds("window.hacked || document.querySelector('img, main script, [onerror]')"))
                    .as(address)
                    .isFalse();
        }
    }

    @Test
    void everyKeyDoesWhatTheHelpSays() throws Exception {
        go(server, "");
        for (String each : List.copyOf(screens(server))) {
            String key = browser.script("return [...document.querySelectorAll('nav a')]"
                            + ".find(a => a.getAttribute('href') === '/ops/" + each + "').dataset.key")
                    .asString();
            browser.type("g" + key);
            browser.until("location.pathname === '/ops/" + each + "' && document.readyState === 'complete'"
                    + " && document.querySelector('.stamp')");
        }
        go(server, "timers?tenant=acme&prefix=invoice");
        browser.type("/");
        assertThat(holds("document.activeElement.closest('.filters')")).isTrue();
        browser.type("gd");
        assertThat(holds("location.pathname === '/ops/timers'"))
                .as("keys in a field are text")
                .isTrue();
        browser.type(ESCAPE + "jjk");
        assertThat(holds("[...document.querySelectorAll('#live tbody tr')].findIndex(each =>"
                        + " each.classList.contains('here')) === 0"))
                .isTrue();
        browser.type("jx");
        assertThat(browser.script("return [...document.querySelectorAll('#live tbody input')]"
                                + ".map(each => each.checked).indexOf(true)")
                        .asInt())
                .isEqualTo(1);
        browser.type("?");
        assertThat(holds("document.getElementById('help').open")).isTrue();
        browser.type(ESCAPE);
        assertThat(holds("document.getElementById('help').open")).isFalse();
        browser.type(ENTER);
        browser.await("invoice-0001");
        browser.until("location.pathname === '/ops/timer'");
    }

    @Test
    void aHiddenPageAsksNothingAndAShownOneAsksAgain() throws Exception {
        browser.before("{const Plain = window.EventSource; window.sources = [];"
                + " window.EventSource = class extends Plain { constructor(at) { super(at); window.sources.push(this); } };"
                + " window.shown = hidden => { Object.defineProperty(document, 'hidden', {value: hidden,"
                + " configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }; }");
        go(server, "");
        browser.until("window.sources.length === 1 && sources[0].readyState === 1");

        browser.script("shown(true)");
        assertThat(holds("sources[0].readyState === 2")).isTrue();

        browser.script("shown(false)");
        browser.until("sources.length === 2 && sources[1].readyState === 1");
    }

    /** A browser has six connections to a server. A stream of each window would take all of them. */
    @Test
    void manyWindowsOfABrowserShareAStream() throws Exception {
        try (Browser wall = Browser.open()) {
            for (int i = 0; i < 8; i++) {
                if (i > 0) {
                    wall.window();
                }
                wall.go(at(server, "queue?name=default&window=" + i));
                wall.await("as of");
                assertThat(wall.script("return document.hidden").asBoolean()).isFalse();
            }
            wall.script("window.before = document.getElementById('live')");

            wall.until("document.getElementById('live') !== window.before");
        }
    }

    @Test
    void anOpenPageSaysThatTheServerIsGone() throws Exception {
        try (ConsoleServer other = ConsoleServer.start(kit.scheduler(), 0)) {
            go(other, "");
            browser.script("window.stays = true");
        }
        browser.until("document.getElementById('stale')");
        assertThat(holds("window.stays")).isTrue();
        assertThat(browser.text())
                .contains("Not up to date: the server does not answer. This page shows what was known");
    }

    @Test
    void aPageSaysThatTheDatabaseIsAwayAndComesBackByItself() throws Exception {
        go(server, "");
        kit.node(0).storeDown();
        try {
            browser.await("Not up to date: the database is away. This page shows what was known at");
            assertThat(browser.text()).contains("Queue reminders is paused since");
            go(server, "dead");
            browser.await("The database is away.");
            browser.script("window.asked = 0; document.addEventListener('htmx:afterSwap', () => window.asked++)");
            browser.until("window.asked > 0");
            assertThat(browser.text()).contains("The database is away.").doesNotContain("Not up to date");
        } finally {
            kit.node(0).storeUp();
        }
        browser.until("document.title.startsWith('Dead letters')");
        assertThat(browser.text()).contains("invoice").doesNotContain("The database is away");
    }

    @Test
    void aReaderSeesNoButtonsAndIsRefusedByTheServerItself() throws Exception {
        try (ConsoleServer reading = ConsoleServer.start(
                Console.of(kit.scheduler()).access(request -> Grant.read("rita")),
                new InetSocketAddress("localhost", 0))) {
            go(reading, "queue?name=default");
            assertThat(browser.text()).contains("rita · read only").doesNotContain("Pause on all nodes");
            String form = "fetch('/do/queue', {method: 'POST', headers: {'Content-Type':"
                    + " 'application/x-www-form-urlencoded'}, body: 'action=pause&queue=default&reason=x&token=";

            assertThat(browser.later(form + "'}).then(answer => done(answer.status))")
                            .asInt())
                    .isEqualTo(403);
            String answer = new Wire(reading.address()).post("/do/queue", "action=pause&queue=default&reason=x");
            assertThat(Wire.status(answer)).isEqualTo(403);
            assertThat(answer).contains("You may read, but not operate.");
        }
    }

    /** A page without TLS has no clipboard of its own, so both ways are tried. */
    @Test
    void aTimerIsCopiedAsJavaByAButton() throws Exception {
        go(server, "timer?tenant=acme&id=reminder-17");
        for (String way : new String[] {"true", "false"}) {
            browser.script("window.copy = null; const taken = text => { window.copy = text; };"
                    + " Object.defineProperty(window, 'isSecureContext', {value: " + way + ", configurable: true});"
                    + " Object.defineProperty(navigator, 'clipboard', {configurable: true, value:"
                    + " {writeText: text => { taken(text); return Promise.resolve(); }}});"
                    + " document.execCommand = () => { taken(document.activeElement.value); return true; };"
                    + " document.querySelector('[data-copy]').focus()");
            browser.type(ENTER);
            browser.until("window.copy !== null && document.querySelector('[data-copy] + span').textContent"
                    + " === 'Copied.'");

            assertThat(browser.script("return window.copy").asString())
                    .startsWith("scheduler.schedule(Timer.at(TimerKey.of(\"acme\", \"reminder-17\"")
                    .endsWith(".build());");
            browser.script("document.querySelector('[data-copy] + span').textContent = ''");
        }
    }

    @Test
    void aListShowsFewerColumnsInANarrowWindow() throws Exception {
        go(server, "timers?tenant=acme&prefix=invoice");
        String shown = "return [...document.querySelectorAll('[aria-label=Timers] thead th')]"
                + ".filter(each => each.offsetParent !== null).map(each => each.textContent.trim())"
                + ".filter(each => each).join(', ')";
        assertThat(browser.script(shown).asString())
                .isEqualTo("Timer, State, Due, Queue, Type, Attempts, Last failure");
        browser.size(800, 900);
        assertThat(browser.script(shown).asString()).isEqualTo("Timer, State, Due, Queue, Type, Last failure");
        browser.size(400, 900);
        assertThat(browser.script(shown).asString()).isEqualTo("Timer, State, Due, Last failure");

        go(server, "");
        assertThat(browser.script(shown.replace("Timers", "Queues")).asString())
                .isEqualTo("Queue, Due now, Oldest due, Delivered, Dead");
    }

    /** The page asks every five seconds then. */
    @Test
    @Tag("full")
    void withoutEventStreamsAPageAsksAtItsOwnPace() throws Exception {
        try (Browser plain = Browser.open();
                ConsoleServer other = ConsoleServer.start(kit.scheduler(), 0)) {
            plain.before("delete window.EventSource; window.EventSource = undefined;");
            plain.go(other.address());
            plain.await("as of");
            plain.script("window.before = document.getElementById('live')");

            plain.until("document.getElementById('live') !== window.before");
        }
    }
}
