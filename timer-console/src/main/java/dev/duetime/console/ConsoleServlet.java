package dev.duetime.console;

import dev.duetime.console.internal.page.Links;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Console} inside an application's own server, such as Tomcat or Jetty. Register it for a path and all below,
 * and let it be asynchronous:
 *
 * <pre>{@code
 * ServletRegistration.Dynamic console = context.addServlet("duetime", new ConsoleServlet(Console.of(scheduler)));
 * console.addMapping("/ops/duetime/*");
 * console.setAsyncSupported(true);
 * }</pre>
 *
 * <p>The base path is the path of the application and of the servlet, unless {@link ConsoleBuilder#basePath} names
 * another one. Without an access function, only this machine is served. Streams keep no thread. A page asks at its own
 * pace where the server or a filter does not let the servlet be asynchronous. Thread-safe.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final long serialVersionUID = 1L;

    private final transient ServletRequests requests;
    private final transient Console console;
    private final transient @Nullable Function<HttpServletRequest, Grant> access;
    private final transient Set<ServletStream> streams = ConcurrentHashMap.newKeySet();
    private final transient ScheduledExecutorService pulse = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "duetime-console");
        thread.setDaemon(true);
        return thread;
    });

    /** Creates the servlet of a console, whose access function is the one of the builder. */
    public ConsoleServlet(ConsoleBuilder settings) {
        this(settings, null);
    }

    /**
     * Creates the servlet of a console. The server knows who sends a request:
     *
     * <pre>{@code
     * new ConsoleServlet(
     *         Console.of(scheduler),
     *         request -> request.isUserInRole("OPERATOR") ? Grant.operate(request.getRemoteUser()) : Grant.none())
     * }</pre>
     *
     * @param access decides what the sender of a request may do, instead of {@link ConsoleBuilder#access}. It is asked
     *     for each request in the thread of the request. If it throws, the request is refused. Null for the builder's
     */
    public ConsoleServlet(ConsoleBuilder settings, @Nullable Function<HttpServletRequest, Grant> access) {
        console = settings.build();
        this.access = access;
        requests = new ServletRequests(console.basePath());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String base = requests.base(request);
        if (base == null) {
            response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        ConsoleRequest read = requests.read(request);
        ConsoleResponse answer = read == null ? console.tooLarge() : answer(request, read, new Links(base));
        ConsoleResponse.Stream stream = answer.stream();
        if (stream != null && !request.isAsyncSupported()) {
            stream.close();
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        response.setStatus(answer.status());
        answer.headers().forEach((name, value) -> response.setHeader(name, secured(request, name, value)));
        if (stream != null) {
            ServletStream.begin(request, stream, pulse, streams);
            return;
        }
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(answer.body());
        }
    }

    private ConsoleResponse answer(HttpServletRequest request, ConsoleRequest read, Links to) {
        Function<HttpServletRequest, Grant> function = access;
        return function == null ? console.answer(read, to) : console.answer(read, to, same -> function.apply(request));
    }

    private static String secured(HttpServletRequest request, String header, String value) {
        return header.equals("Set-Cookie") && request.isSecure() ? value + "; Secure" : value;
    }

    /** Ends the open streams, and stops the runs under way after their current batches. May be called again. */
    @Override
    public void destroy() {
        console.close();
        streams.forEach(ServletStream::end);
        pulse.shutdownNow();
        try {
            // Servers warn of threads that outlive an application.
            if (!pulse.awaitTermination(1, TimeUnit.SECONDS)) {
                LOG.debug("the thread of the console's streams still ends");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
