package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.admin.TodoListSummary;
import dev.duetime.console.internal.html.Html;
import dev.duetime.console.internal.html.Words;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The to-do lists, and the open items of one. */
public final class ListsPage {
    private static final int PAGE = 50;

    private ListsPage() {}

    /** Returns the page of all lists. */
    public static String of(View view) {
        if (isFenced(view)) {
            return fenced(view);
        }
        List<Html> rows = view.reads().todoLists(view.now()).stream()
                .map(list -> row(view, list))
                .toList();
        return Layout.page(
                view,
                "To-do lists",
                true,
                el("h1", "To-do lists"),
                rows.isEmpty()
                        ? el("p", at("class", "quiet"), "No to-do list has open items.")
                        : Layout.table("To-do lists", List.of("List", "Open", "Overdue", "First item"), rows));
    }

    /** Items have no tenant, so who may see some tenants only sees no list. */
    private static boolean isFenced(View view) {
        return view.grant().tenants() != null;
    }

    private static String fenced(View view) {
        return Layout.page(
                view,
                "To-do lists",
                false,
                el("h1", "To-do lists"),
                el("p", at("class", "notice"), "To-do lists are shown to those who see all tenants."));
    }

    private static Html row(View view, TodoListSummary list) {
        boolean isLate = list.overdue().timers() > 0;
        return el(
                "tr",
                el(
                        "th",
                        at("scope", "row"),
                        el("a", at("href", view.links().to("/list", "name", list.list())), Words.cut(list.list()))),
                el("td", Words.count(list.open())),
                el("td", el("span", at("class", isLate ? "warn" : "quiet"), Words.count(list.overdue()))),
                el("td", overdue(list.first(), view.now())));
    }

    private static Html overdue(@Nullable Instant at, Instant now) {
        return at == null
                ? Words.when(null, now)
                : Html.group(at.isAfter(now) ? "overdue " : "overdue since ", Words.when(at, now));
    }

    /** Returns the page of one list. */
    public static String items(View view) {
        if (isFenced(view)) {
            return fenced(view);
        }
        String list = view.parameter("name");
        if (list == null) {
            throw new IllegalArgumentException("name must be given");
        }
        List<TodoListSummary.Item> items = view.reads().todoItems(list, after(view), PAGE);
        TodoListSummary.Item last = items.size() < PAGE ? null : items.get(PAGE - 1);
        List<Html> rows = items.stream()
                .map(item -> el(
                        "tr",
                        el("th", at("scope", "row"), Words.cut(item.id())),
                        el("td", overdue(item.overdueAt(), view.now())),
                        el("td", Words.utc(item.overdueAt()))))
                .toList();
        return Layout.page(
                view,
                list,
                true,
                el("h1", "To-do list ", el("b", list)),
                rows.isEmpty()
                        ? el("p", at("class", "quiet"), "No item is open here.")
                        : Layout.table("Open items", List.of("Item", "Overdue", "Time"), rows),
                last == null
                        ? Html.NONE
                        : el(
                                "p",
                                at("class", "pages"),
                                el(
                                        "a",
                                        at(
                                                "href",
                                                view.links()
                                                        .to(
                                                                "/list",
                                                                "name",
                                                                list,
                                                                "at",
                                                                last.overdueAt(),
                                                                "after",
                                                                last.id())),
                                        at("rel", "next"),
                                        "Next page")));
    }

    private static TodoListSummary.@Nullable Item after(View view) {
        String id = view.parameter("after");
        String at = view.parameter("at");
        try {
            return id == null || at == null ? null : new TodoListSummary.Item(id, Instant.parse(at));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("at must be an instant", e);
        }
    }
}
