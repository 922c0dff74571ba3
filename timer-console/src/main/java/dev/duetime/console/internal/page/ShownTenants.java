package dev.duetime.console.internal.page;

import static dev.duetime.console.internal.html.Html.at;
import static dev.duetime.console.internal.html.Html.el;

import dev.duetime.console.internal.html.Html;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tenants that a page shows to a person with a fence. Each of them is read by itself. So a page shows all of a
 * small fence, and of a larger one the tenant that the person chooses.
 */
final class ShownTenants {
    private static final int MOST = 20;

    private ShownTenants() {}

    /**
     * Returns the tenants in order.
     *
     * @param fence the tenants of the fence
     * @throws IllegalArgumentException if the person has chosen a hidden tenant
     */
    static List<String> of(View view, Set<String> fence) {
        if (fence.size() <= MOST) {
            return fence.stream().sorted().toList();
        }
        String chosen = view.parameter("tenant");
        if (chosen != null && view.grant().hides(chosen)) {
            throw new IllegalArgumentException("tenant must be one that you may see");
        }
        return fence.stream()
                .sorted()
                .filter(tenant -> chosen == null || tenant.equals(chosen))
                .limit(1)
                .toList();
    }

    /** Returns the tenant that the person has to choose; null if all are shown. */
    static @Nullable String chosen(View view) {
        Set<String> fence = view.grant().tenants();
        return fence == null || fence.size() <= MOST ? null : of(view, fence).get(0);
    }

    /** Returns the choice of a tenant; nothing if all are shown. */
    static Html choice(View view) {
        String chosen = chosen(view);
        return chosen == null
                ? Html.NONE
                : el(
                        "form",
                        at("class", "filters"),
                        at("method", "get"),
                        at("action", view.links().to(view.request().path())),
                        Layout.hidden("queue", view.parameter("queue")),
                        field(view, chosen),
                        el("button", "Show"));
    }

    /** Returns a field with which the person chooses one of all tenants of the fence. */
    static Html field(View view, @Nullable String chosen) {
        Set<String> fence = view.grant().tenants();
        List<Html> options = fence == null
                ? List.of()
                : fence.stream()
                        .sorted()
                        .map(tenant -> el("option", at("value", tenant), at("selected", tenant.equals(chosen)), tenant))
                        .toList();
        return el("label", "Tenant", el("select", at("name", "tenant"), options));
    }
}
