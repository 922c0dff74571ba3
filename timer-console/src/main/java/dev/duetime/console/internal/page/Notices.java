package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.console.internal.html.Html;

/** Pages that say why there is no other page. */
public final class Notices {

    private Notices() {}

    /** Returns a page with a message. It has no navigation, because its reader may have no right to see anything. */
    public static String of(Links links, String title, String message) {
        StringBuilder page = new StringBuilder("<!doctype html>");
        el(
                        "html",
                        at("lang", "en"),
                        el(
                                "head",
                                el("meta", at("charset", "utf-8")),
                                el(
                                        "meta",
                                        at("name", "viewport"),
                                        at("content", "width=device-width, initial-scale=1")),
                                el("title", title + " · Duetime"),
                                el("link", at("rel", "stylesheet"), at("href", links.to("/assets/console.css")))),
                        el("body", el("main", el("h1", title), el("p", message), home(links))))
                .write(page);
        return page.toString();
    }

    /** Returns such a page with the navigation, for somebody who may see the console. */
    public static String in(View view, String title, String message) {
        return Layout.page(view, title, false, el("h1", title), el("p", message));
    }

    private static Html home(Links links) {
        return el("p", el("a", at("href", links.to("/")), "Overview"));
    }
}
