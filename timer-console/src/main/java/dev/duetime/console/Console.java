package dev.duetime.console;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.console.internal.action.Runs;
import dev.duetime.console.internal.page.AwayPage;
import dev.duetime.console.internal.page.DeadPage;
import dev.duetime.console.internal.page.Links;
import dev.duetime.console.internal.page.ListsPage;
import dev.duetime.console.internal.page.NodesPage;
import dev.duetime.console.internal.page.Notices;
import dev.duetime.console.internal.page.OverviewPage;
import dev.duetime.console.internal.page.QueuePage;
import dev.duetime.console.internal.page.RecurringPage;
import dev.duetime.console.internal.page.RunPages;
import dev.duetime.console.internal.page.SharedPages;
import dev.duetime.console.internal.page.SharedReads;
import dev.duetime.console.internal.page.TimerPage;
import dev.duetime.console.internal.page.TimersPage;
import dev.duetime.console.internal.page.View;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Trace;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages for operators of one scheduler, for any server: a request in, a response out. {@link ConsoleServer} serves
 * it in two lines. Thread-safe.
 */
public final class Console implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    /** In bytes: room for every key of a page, and far less than memory. */
    static final int LARGEST_FORM = 1_000_000;

    /** In characters, as other servers have it. Open pages are kept by their addresses. */
    static final int LONGEST_QUERY = 8_000;

    private static final String REFUSED = "That did not work";

    private final Scheduler scheduler;
    private final Links links;
    private final boolean showsPayloads;
    private final @Nullable ConsoleAccess access;
    private final Guard guard;
    private final Runs runs;
    private final SharedReads reads;
    private final SharedPages pages;
    private final Actions actions;
    private final Assets assets = new Assets();
    private final LiveStreams streams = new LiveStreams();

    Console(
            Scheduler scheduler,
            Links links,
            boolean showsPayloads,
            @Nullable ConsoleAccess access,
            Guard guard,
            Executor executor,
            Duration fresh) {
        this.scheduler = scheduler;
        this.links = links;
        this.showsPayloads = showsPayloads;
        this.access = access;
        this.guard = guard;
        runs = new Runs(scheduler, executor);
        reads = new SharedReads(scheduler.admin(), fresh);
        pages = new SharedPages(fresh);
        actions = new Actions(runs);
    }

    /** Returns a builder for the console of a scheduler, which need not be started. */
    public static ConsoleBuilder of(Scheduler scheduler) {
        return new ConsoleBuilder(scheduler);
    }

    /** Returns what stands before each path of the console: empty, or for example {@code /ops/timers}. */
    public String basePath() {
        return links.base();
    }

    /** Answers a request. Never throws because of what the request contains, or because the database is away. */
    public ConsoleResponse answer(ConsoleRequest request) {
        return answer(request, links);
    }

    /** Answers a request under a base path that the mount knows. */
    ConsoleResponse answer(ConsoleRequest request, Links to) {
        return answer(request, to, access);
    }

    /**
     * Answers a request under a base path and with an access function that the mount knows.
     *
     * @param allowed decides what the sender may do; null if only this machine is served
     */
    ConsoleResponse answer(ConsoleRequest request, Links to, @Nullable ConsoleAccess allowed) {
        String refusal = guard.refusal(request, allowed);
        if (refusal != null) {
            return notice(to, 403, "Refused", refusal);
        }
        boolean isChange = request.method().equals("POST");
        if (!isChange && !request.method().equals("GET") && !request.method().equals("HEAD")) {
            return Responses.with(
                    notice(to, 405, "Refused", "The console answers GET, HEAD and POST only."),
                    "Allow",
                    "GET, HEAD, POST");
        }
        if (request.path().startsWith("/assets/") && !isChange) {
            ConsoleResponse asset = assets.find(request.path().substring("/assets/".length()));
            return asset != null ? asset : notice(to, 404, "Not found", "There is no such file.");
        }
        try {
            return checked(request, to, guard.grant(request, allowed));
        } catch (IllegalArgumentException | DateTimeException e) {
            return notice(to, 400, REFUSED, String.valueOf(Errors.message(e)));
        } catch (StoreException e) {
            LOG.warn("an action of the console failed: {}", Errors.message(e));
            return notice(
                    to,
                    503,
                    "The database is away",
                    "Perhaps some of it was done. Look at the timers before you repeat it.");
        } catch (RuntimeException e) {
            LOG.error("a page of the console failed", Trace.of(e));
            return notice(to, 500, "This page failed", "The log of this node has the reason.");
        }
    }

    private ConsoleResponse checked(ConsoleRequest request, Links to, Grant grant) {
        if (grant.level() == Grant.Level.NONE) {
            return notice(to, 403, "Refused", "You have no access to this console.");
        }
        boolean isChange = request.method().equals("POST");
        if (isChange) {
            String forgery = guard.forgery(request);
            if (forgery != null) {
                return notice(to, 403, "Refused", forgery);
            }
            if (!grant.operates()) {
                return notice(to, 403, "Refused", "You may read, but not operate.");
            }
        }
        if (request.path().equals("/live") && !isChange) {
            return live(request, to);
        }
        checkText(request);
        String token = guard.token(request);
        ConsoleResponse response = answered(request, grant, to, token);
        return token.equals(request.cookie(Guard.COOKIE))
                ? response
                : Responses.with(
                        response,
                        "Set-Cookie",
                        Guard.COOKIE + "=" + token + "; Path="
                                + (to.base().isEmpty() ? "/" : to.base())
                                + "; HttpOnly; SameSite=Strict");
    }

    private ConsoleResponse answered(ConsoleRequest request, Grant grant, Links to, String token) {
        // This node's own time, which needs no database.
        Instant known = scheduler.admin().health().at();
        View view = new View(scheduler, reads, request, grant, to, token, known, showsPayloads);
        boolean isChange = request.method().equals("POST");
        try {
            View current = view.at(scheduler.now());
            return isChange ? change(current) : read(current);
        } catch (StoreException e) {
            if (isChange) {
                throw e;
            }
            LOG.warn("a page of the console failed: {}", Errors.message(e));
            // The database may have kept the page waiting for seconds.
            return Responses.page(
                    503, AwayPage.of(view.at(scheduler.admin().health().at())));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Responses.page(400, Notices.in(view, REFUSED, String.valueOf(Errors.message(e))));
        }
    }

    /** A database may refuse such a text as if it were away, and no timer has one. */
    private static void checkText(ConsoleRequest request) {
        if (request.parameters().values().stream()
                .flatMap(List::stream)
                .flatMapToInt(String::codePoints)
                .anyMatch(each -> Character.isISOControl(each) || Character.getType(each) == Character.SURROGATE)) {
            throw new IllegalArgumentException("a parameter must not contain control characters");
        }
    }

    private ConsoleResponse change(View view) {
        try {
            return actions.answer(view);
        } finally {
            reads.forget();
            pages.forget();
        }
    }

    private ConsoleResponse read(View view) {
        String page = pages.of(view, this::page);
        return page == null
                ? Responses.page(404, Notices.in(view, "Not found", "There is no such page or timer."))
                : Responses.page(200, page);
    }

    private @Nullable String page(View view) {
        return switch (view.request().path()) {
            case "/" -> OverviewPage.of(view);
            case "/queue" -> QueuePage.of(view);
            case "/timers" -> TimersPage.of(view);
            case "/timer" -> TimerPage.of(view).orElse(null);
            case "/dead" -> DeadPage.of(view);
            case "/recurring" -> RecurringPage.of(view);
            case "/lists" -> ListsPage.of(view);
            case "/list" -> ListsPage.items(view);
            case "/nodes" -> NodesPage.of(view);
            case "/activity" -> RunPages.activity(view, runs.all(), runs.deeds());
            case "/run" -> RunPages.run(view, actions.run(view, "id"));
            default -> null;
        };
    }

    /** Pages of other sites could use up the streams. A page without a stream asks at its own pace. */
    private ConsoleResponse live(ConsoleRequest request, Links to) {
        if (Guard.isForeign(request)) {
            return notice(to, 403, "Refused", "The request came from another site.");
        }
        if (request.method().equals("HEAD")) {
            return Responses.stream(null);
        }
        ConsoleResponse.Stream stream = streams.open();
        return stream != null ? Responses.stream(stream) : notice(to, 503, "Too many", "Too many pages are open.");
    }

    /** Returns the answer to a form of more than {@link #LARGEST_FORM} bytes. Nothing of it was done. */
    ConsoleResponse tooLarge() {
        return notice(links, 413, "Refused", "The form is too large. Nothing was changed.");
    }

    /** Returns the answer to an address with more than {@link #LONGEST_QUERY} characters of parameters. */
    ConsoleResponse tooLong() {
        return notice(links, 414, "Refused", "The address is too long.");
    }

    private static ConsoleResponse notice(Links to, int status, String title, String message) {
        return Responses.page(status, Notices.of(to, title, message));
    }

    /** Ends the open streams, and stops the runs under way after their current batches. */
    @Override
    public void close() {
        streams.close();
        runs.close();
    }
}
