package dev.duetime.console.internal.page;

import dev.duetime.console.Grant;
import dev.duetime.console.internal.page.View.Part;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The changing parts of open pages. Such a part is made once for all who may see the same, and not once for each open
 * tab. A part names nobody; the token in its forms is put in afterwards. Thread-safe.
 */
public final class SharedPages {
    private static final int MOST = 200;
    private static final int BYTES = 18;

    private final SharedAnswers answers;
    /** Stands for the token of the reader. Nobody knows it, so no text of a user contains it. */
    private final String blank;

    /**
     * Creates it.
     *
     * @param fresh for how long a part is shared
     */
    public SharedPages(Duration fresh) {
        answers = new SharedAnswers(fresh, MOST);
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        blank = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** All that a part depends on, beside the time. */
    private record Key(
            String base,
            String path,
            Map<String, List<String>> parameters,
            Grant.Level level,
            @Nullable Set<String> tenants) {}

    /**
     * Returns a page, or its part if the reader asks for that.
     *
     * @param page makes the page; it returns null if there is none
     */
    public @Nullable String of(View view, Function<View, @Nullable String> page) {
        if (!view.isPart()) {
            return page.apply(view);
        }
        Key key = new Key(
                view.links().base(),
                view.request().path(),
                view.request().parameters(),
                view.grant().level(),
                view.grant().tenants());
        Part part = answers.get(key, () -> new Part(page.apply(view.withToken(blank))));
        return part.html() == null ? null : part.html().replace(blank, view.token());
    }

    /** Forgets all parts, because an operator has changed something. */
    public void forget() {
        answers.forget();
    }
}
