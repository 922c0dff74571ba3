package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.admin.QueuePause;
import dev.duetime.console.Console;
import dev.duetime.console.ConsoleServlet;
import dev.duetime.console.Grant;
import dev.duetime.lab.console.Mount.Kind;
import dev.duetime.testkit.TimerKit;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that the console behaves alike in each server, whatever a client sends. */
class MountTest {
    private static final int MOST_STREAMS = 100;

    private final TimerKit kit = TimerKit.builder().build();

    @TempDir
    Path folder;

    private Mount start(Kind kind) throws Exception {
        return Mount.start(kind, Console.of(kit.scheduler()), folder);
    }

    private @Nullable QueuePause pauseOf(String queue) {
        return kit.scheduler().admin().queues().stream()
                .filter(each -> each.queue().equals(queue))
                .findFirst()
                .orElseThrow()
                .pause();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void pagesFormsAndRedirectsCarryThePathOfTheMount(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());

            assertThat(wire.send("GET " + mount.base()))
                    .contains("200", "href=\"/shop/ops/timers\"", "href=\"/shop/ops/assets/console.css\"")
                    .contains("Path=/shop/ops")
                    .doesNotContain("href=\"/timers");
            assertThat(wire.send("GET " + mount.base() + "/assets/console.js")).contains("200", "text/javascript");
            assertThat(wire.post(mount.base() + "/do/queue", "action=pause&queue=default&reason=caf%C3%A9+%26+more"))
                    .containsIgnoringCase("location: /shop/ops/queue?");
            assertThat(pauseOf("default")).isNotNull();
            assertThat(String.valueOf(pauseOf("default"))).contains("café & more");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anEventStreamBeatsUntilTheServerStops(Kind kind) throws Exception {
        Mount mount = start(kind);
        Wire wire = new Wire(mount.address());
        try (Socket socket = wire.open("GET /shop/ops/live HTTP/1.1\r\nHost: " + wire.host() + "\r\n\r\n")) {
            InputStream in = socket.getInputStream();
            String begin = "";
            while (begin.split("event: tick", -1).length < 3) {
                begin += new String(in.readNBytes(1), StandardCharsets.UTF_8);
            }
            assertThat(begin)
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("x-accel-buffering: no")
                    .containsIgnoringCase("text/event-stream");
            long before = System.nanoTime();
            mount.close();

            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).doesNotContain("Exception");
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void streamsThatNobodyReadsHoldUpNoPageAndThoseOfLeftPagesAreFreed(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());
            String ask = "GET /shop/ops/live HTTP/1.1\r\nHost: " + wire.host() + "\r\n\r\n";
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < MOST_STREAMS; i++) {
                Socket socket = wire.open(ask);
                open.add(socket);
                assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
                        .isEqualTo("HTTP/1.1 200");
            }
            assertThat(Wire.status(wire.send("GET /shop/ops/live"))).isEqualTo(503);
            assertThat(Wire.status(wire.send("GET /shop/ops/"))).isEqualTo(200);

            for (Socket each : open) {
                each.close();
            }
            String first = "";
            while (!first.equals("HTTP/1.1 200")) {
                try (Socket socket = wire.open(ask)) {
                    first = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void nothingButPagesAndFilesIsAnswered(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());
            for (String method : new String[] {"OPTIONS", "PUT", "DELETE", "PATCH", "BREW"}) {
                String answer = wire.send(method + " /shop/ops/");
                assertThat(Wire.status(answer)).as(method).isEqualTo(405);
                assertThat(answer).containsIgnoringCase("allow: GET, HEAD, POST");
            }
            assertThat(Wire.status(wire.send("TRACE /shop/ops/", "X-Secret: abc")))
                    .isEqualTo(405);
            for (String path : new String[] {
                "/assets/../Console.class",
                "/assets/%2e%2e/Console.class",
                "/assets/..%2f..%2f..%2fetc%2fpasswd",
                "/assets//etc/passwd",
                "/assets/console.css%00.svg",
                "/assets/",
                "/../../etc/passwd",
                "/nothing"
            }) {
                String answer = wire.send("GET /shop/ops" + path);
                assertThat(Wire.status(answer)).as(path + " " + answer).isBetween(400, 499);
                assertThat(answer).doesNotContain("root:", "CAFEBABE");
            }
            String head = wire.send("HEAD /shop/ops/");
            assertThat(Wire.status(head)).isEqualTo(200);
            assertThat(head).doesNotContain("<html");
            assertThat(Wire.status(wire.send("HEAD /shop/ops/live"))).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void badRequestsAreRefusedWithoutAStackTrace(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());
            for (String query : new String[] {
                "timer?tenant=%00&id=a",
                "timer?tenant=%ff%fe&id=%zz",
                "timer?tenant=a",
                "timers?state=nonsense",
                "timers?after=nonsense",
                "queue?name=%0d%0aSet-Cookie:%20a=b",
                "run?id=-1",
                "timers?done=%0d%0aSet-Cookie:%20a=b",
                "dead?type=" + "x".repeat(3_000)
            }) {
                String answer = wire.send("GET /shop/ops/" + query);
                assertThat(Wire.status(answer)).as(query).isIn(200, 400, 404);
                assertThat(answer).as(query).doesNotContain("\tat ", "java.lang", "\r\nSet-Cookie: a=b");
            }
            String large =
                    wire.post("/shop/ops/do/queue", "action=pause&queue=default&reason=" + "x".repeat(1_000_000));
            assertThat(Wire.status(large)).isIn(0, 400, 413);
            assertThat(wire.post("/shop/ops/do/queue", "action=resume&queue=a%0d%0aX-Bad:+1"))
                    .doesNotContain("\r\nX-Bad");
            assertThat(pauseOf("default")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anAddressThatIsTooLongIsRefused(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());

            assertThat(Wire.status(wire.send("GET /shop/ops/timers?type=" + "x".repeat(7_000))))
                    .isEqualTo(200);
            assertThat(Wire.status(wire.send("GET /shop/ops/timers?type=" + "x".repeat(20_000))))
                    .isIn(400, 414, 431);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void otherNamesAndOtherSitesAreRefused(Kind kind) throws Exception {
        try (Mount mount = start(kind)) {
            Wire wire = new Wire(mount.address());
            String form = "action=pause&queue=default&reason=x";

            assertThat(Wire.status(wire.send("GET /shop/ops/", "Host: evil.example")))
                    .isEqualTo(403);
            assertThat(Wire.status(wire.send("GET /shop/ops/", "X-Forwarded-For: 10.0.0.7")))
                    .isEqualTo(403);
            assertThat(Wire.status(wire.send("GET /shop/ops/live", "Sec-Fetch-Site: cross-site")))
                    .isEqualTo(403);
            assertThat(Wire.status(wire.post("/shop/ops/do/queue", form, "Sec-Fetch-Site: cross-site")))
                    .isEqualTo(403);
            assertThat(Wire.status(wire.post("/shop/ops/do/queue", form, "Origin: http://evil.example")))
                    .isEqualTo(403);
            assertThat(Wire.status(wire.post("/shop/ops/do/queue", form, "Origin: null")))
                    .isEqualTo(403);
            assertThat(pauseOf("default")).isNull();

            assertThat(Wire.status(wire.post("/shop/ops/do/queue", form, "Origin: http://" + wire.host())))
                    .isEqualTo(303);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anAccessFunctionThatFailsRefusesEverything(Kind kind) throws Exception {
        try (Mount mount = Mount.start(
                kind,
                Console.of(kit.scheduler()).access(request -> {
                    throw new IllegalStateException("the directory is away");
                }),
                folder)) {
            String answer = new Wire(mount.address()).send("GET /shop/ops/");

            assertThat(Wire.status(answer)).isEqualTo(403);
            assertThat(answer).doesNotContain("directory", "Exception");
        }
    }

    @Test
    void theServersOwnUserMayBeAsked() throws Exception {
        ConsoleServlet servlet = new ConsoleServlet(
                Console.of(kit.scheduler()),
                request -> request.getRemoteUser() == null ? Grant.none() : Grant.operate(request.getRemoteUser()));
        try (Mount mount = Mount.jetty(servlet)) {
            assertThat(Wire.status(new Wire(mount.address()).send("GET /shop/ops/")))
                    .isEqualTo(403);
        }
    }

    /** Spring's filter for forwarded headers does so. It believes whoever sends them. */
    @Test
    void aFilterThatHidesAProxyDoesNotMakeItsRequestsLocal() throws Exception {
        ConsoleServlet console = new ConsoleServlet(Console.of(kit.scheduler()));
        HttpServlet filtered = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                console.service(new WithoutProxy(request), response);
            }
        };
        try (Mount mount = Mount.jetty(filtered)) {
            Wire wire = new Wire(mount.address());

            assertThat(Wire.status(wire.send("GET /shop/ops/"))).isEqualTo(200);
            assertThat(Wire.status(wire.send("GET /shop/ops/", "X-Forwarded-For: 127.0.0.1")))
                    .isEqualTo(403);
        } finally {
            console.destroy();
        }
    }

    /** A server may take the address from a header. A look-up would ask the network for a name that a client chose. */
    @Test
    void aNameOfHexadecimalLettersIsNoAddress() throws Exception {
        AtomicReference<String> remote = new AtomicReference<>();
        ConsoleServlet console = new ConsoleServlet(Console.of(kit.scheduler()));
        HttpServlet named = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                console.service(from(remote.get(), request), response);
            }
        };
        try (Mount mount = Mount.jetty(named)) {
            Wire wire = new Wire(mount.address());
            for (String each : List.of("face.de", "abc.cafe", "dead.beef", "[cafe]")) {
                remote.set(each);
                assertThat(Wire.status(wire.send("GET /shop/ops/"))).as(each).isEqualTo(403);
            }
            for (String each : List.of("127.0.0.1", "::1", "[0:0:0:0:0:0:0:1]", "::ffff:127.0.0.1")) {
                remote.set(each);
                assertThat(Wire.status(wire.send("GET /shop/ops/"))).as(each).isEqualTo(200);
            }
        } finally {
            console.destroy();
        }
    }

    private static HttpServletRequest from(String remote, HttpServletRequest request) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                MountTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, given) ->
                        method.getName().equals("getRemoteAddr") ? remote : method.invoke(request, given));
    }

    private static final class WithoutProxy extends HttpServletRequestWrapper {
        WithoutProxy(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRemoteAddr() {
            return "127.0.0.1";
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            return Collections.enumeration(Collections.list(super.getHeaderNames()).stream()
                    .filter(name -> !name.equalsIgnoreCase("x-forwarded-for"))
                    .toList());
        }
    }

    @Test
    void whereAServerCannotKeepAStreamThePagesAskAtTheirOwnPace() throws Exception {
        try (Mount mount = Mount.jetty(new ConsoleServlet(Console.of(kit.scheduler())), false)) {
            Wire wire = new Wire(mount.address());

            // As many as there may be streams: each one is given back.
            for (int i = 0; i <= MOST_STREAMS; i++) {
                assertThat(Wire.status(wire.send("GET /shop/ops/live"))).isEqualTo(503);
            }
            assertThat(wire.send("GET /shop/ops/", "HX-Request: true")).contains("200", "as of");
        }
    }

    @Test
    void aPathThatNamesAnotherHostIsNoBase() throws Exception {
        try (Mount mount = start(Kind.TOMCAT)) {
            String answer = new Wire(mount.address()).send("GET //evil.example/..;/shop/ops/");

            assertThat(answer).doesNotContain("//evil.example");
        }
    }
}
