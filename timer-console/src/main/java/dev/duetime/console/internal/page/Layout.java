package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.TimerState;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What all pages have in common: head, navigation, forms. */
public final class Layout {
    private static final String HTMX =
            "{\"includeIndicatorStyles\":false,\"allowEval\":false,\"selfRequestsOnly\":true,"
                    + "\"historyCacheSize\":0,\"defaultSwapStyle\":\"outerHTML\"}";

    private Layout() {}

    /**
     * A screen in the navigation.
     *
     * @param key the letter that goes there after a {@code g}
     */
    private record Screen(String path, String name, char key) {}

    private static final List<Screen> SCREENS = List.of(
            new Screen("/", "Overview", 'o'),
            new Screen("/timers", "Timers", 't'),
            new Screen("/dead", "Dead letters", 'd'),
            new Screen("/recurring", "Recurring", 'r'),
            new Screen("/lists", "To-do lists", 'l'),
            new Screen("/nodes", "Nodes", 'n'),
            new Screen("/activity", "Activity", 'a'));

    /**
     * Returns a page, or the part of it that changes if an open page asks for that.
     *
     * @param isLive whether the page shows new numbers as long as it is open
     */
    public static String page(View view, String title, boolean isLive, @Nullable Object... content) {
        Links links = view.links();
        String self = links.to(view.request().path()) + query(view);
        Html main = el(
                "main",
                at("id", "live"),
                at("tabindex", "-1"),
                isLive ? at("hx-get", self) : null,
                isLive ? at("hx-trigger", "duetime-live from:body") : null,
                isLive ? at("hx-select", "#live") : null,
                done(view),
                content,
                el(
                        "p",
                        at("class", "stamp"),
                        "as of ",
                        el("time", at("datetime", view.now()), Words.utc(view.now())),
                        isLive ? " · live" : null));
        StringBuilder page = new StringBuilder();
        if (view.isPart()) {
            main.write(page);
            return page.toString();
        }
        Html html = el(
                "html",
                at("lang", "en"),
                el(
                        "head",
                        el("meta", at("charset", "utf-8")),
                        el("meta", at("name", "viewport"), at("content", "width=device-width, initial-scale=1")),
                        el("meta", at("name", "color-scheme"), at("content", "light dark")),
                        el("meta", at("name", "referrer"), at("content", "same-origin")),
                        el("meta", at("name", "htmx-config"), at("content", HTMX)),
                        el("title", title + " · Duetime"),
                        el("link", at("rel", "icon"), at("href", links.to("/assets/icon.svg"))),
                        el("link", at("rel", "stylesheet"), at("href", links.to("/assets/console.css"))),
                        el("script", at("src", links.to("/assets/htmx.min.js")), at("defer", true)),
                        el("script", at("src", links.to("/assets/console.js")), at("defer", true))),
                el(
                        "body",
                        at("data-live", isLive ? links.to("/live") : "off"),
                        el("a", at("class", "skip"), at("href", "#live"), "Skip to content"),
                        el(
                                "header",
                                el("a", at("class", "brand"), at("href", links.to("/")), "Duetime"),
                                el("nav", at("aria-label", "Screens"), screens(view)),
                                el(
                                        "span",
                                        at("class", "user"),
                                        view.grant().user() + (view.grant().operates() ? "" : " · read only"))),
                        main,
                        help()));
        page.append("<!doctype html>");
        html.write(page);
        return page.toString();
    }

    private static String query(View view) {
        StringBuilder query = new StringBuilder();
        view.request()
                .parameters()
                .forEach((name, values) -> values.forEach(value -> {
                    if (!value.isEmpty() && !name.equals("done") && !name.equals("token")) {
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(Links.encode(name))
                                .append('=')
                                .append(Links.encode(value));
                    }
                }));
        return query.toString();
    }

    private static List<Html> screens(View view) {
        List<Html> all = new ArrayList<>();
        for (Screen each : SCREENS) {
            boolean isHere = view.request().path().equals(each.path());
            all.add(el(
                    "a",
                    at("href", view.links().to(each.path())),
                    at("data-key", each.key()),
                    isHere ? at("aria-current", "page") : null,
                    each.name()));
        }
        return all;
    }

    /** Returns what the action did that led here. A link on another site must not say it. */
    private static @Nullable Html done(View view) {
        String site = view.request().header("sec-fetch-site");
        String done = site == null || site.equals("same-origin") ? view.parameter("done") : null;
        return done == null ? null : el("p", at("class", "done"), at("role", "status"), Words.cut(done));
    }

    private static Html help() {
        return el(
                "dialog",
                at("id", "help"),
                at("aria-label", "Keys"),
                el("h2", "Keys"),
                el(
                        "dl",
                        key("g o, g t, g d", "go to overview, timers, dead letters"),
                        key("g r, g l", "go to recurring timers, to-do lists"),
                        key("g n, g a", "go to nodes, activity"),
                        key("/", "filter"),
                        key("j, k", "next, previous row"),
                        key("x", "tick the row"),
                        key("Enter", "open the row"),
                        key("?", "this help"),
                        key("Esc", "close, leave a field")),
                el("form", at("method", "dialog"), el("button", "Close")));
    }

    private static Html key(String keys, String what) {
        return Html.group(el("dt", el("kbd", keys)), el("dd", what));
    }

    /** Returns a form that changes something, with the token that shows where it came from. */
    public static Html form(View view, String path, @Nullable Object... content) {
        return el(
                "form",
                at("method", "post"),
                at("action", view.links().to(path)),
                hidden("token", view.token()),
                content);
    }

    /** Returns a hidden field; nothing if there is no value. */
    public static Html hidden(String name, @Nullable Object value) {
        return value == null
                ? Html.NONE
                : el("input", at("type", "hidden"), at("name", name), at("value", value.toString()));
    }

    /** Returns a state as a small label. */
    static Html state(TimerState state) {
        String name = state.name().toLowerCase(Locale.ROOT);
        return el("span", at("class", "state " + name), name);
    }

    /** Returns a table with a head. */
    static Html table(String label, List<String> head, List<Html> rows) {
        return el(
                "div",
                at("class", "scroll"),
                at("tabindex", "0"),
                at("role", "region"),
                at("aria-label", label),
                el(
                        "table",
                        el(
                                "thead",
                                el(
                                        "tr",
                                        head.stream()
                                                .map(each -> el("th", at("scope", "col"), each))
                                                .toList())),
                        el("tbody", rows)));
    }
}
