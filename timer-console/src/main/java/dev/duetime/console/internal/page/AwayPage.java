package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.console.internal.html.Html;
import java.util.List;

/** What any screen shows while the database does not answer: what this node knows by itself. */
public final class AwayPage {

    private AwayPage() {}

    /** Returns the page, which asks for its screen again as long as it is open. */
    public static String of(View view) {
        List<Html> outages = OverviewPage.outages(view, view.scheduler().admin().health());
        return Layout.page(
                view,
                "The database is away",
                true,
                el(
                        "section",
                        at("class", "truth trouble"),
                        at("id", "away"),
                        el("h1", "The database is away."),
                        outages.isEmpty()
                                ? null
                                : el(
                                        "ul",
                                        outages.stream()
                                                .map(each -> el("li", each))
                                                .toList())),
                el(
                        "p",
                        "No timer is lost: what was accepted is delivered when the database is back. This page comes",
                        " back by itself. It is safe to load this page again."));
    }
}
