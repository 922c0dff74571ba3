package dev.duetime.console.internal.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A piece of HTML. The only way to make one is from elements, attributes and texts. Texts and values are escaped where
 * they are written, so no text of a user can become markup. Immutable and thread-safe.
 */
public sealed interface Html {
    /** Nothing. */
    Html NONE = new Group(List.of());

    /** Appends this to a page. */
    void write(StringBuilder page);

    /**
     * Returns an element.
     *
     * @param content attributes, pieces of HTML, arrays and lists of them, and values that are shown as text; null for
     *     nothing
     */
    static Html el(String name, @Nullable Object... content) {
        List<Attribute> attributes = new ArrayList<>();
        List<Html> children = new ArrayList<>();
        sort(content, attributes, children);
        return new Element(name, attributes, children);
    }

    private static void sort(@Nullable Object[] content, List<Attribute> attributes, List<Html> children) {
        for (Object each : content) {
            if (each instanceof Attribute attribute) {
                attributes.add(attribute);
            } else if (each instanceof Object[] several) {
                sort(several, attributes, children);
            } else {
                add(children, each);
            }
        }
    }

    /** Returns several pieces, one after the other. */
    static Html group(@Nullable Object... content) {
        List<Html> children = new ArrayList<>();
        for (Object each : content) {
            add(children, each);
        }
        return new Group(children);
    }

    private static void add(List<Html> children, @Nullable Object content) {
        if (content instanceof Html html) {
            children.add(html);
        } else if (content instanceof Iterable<?> several) {
            several.forEach(each -> add(children, each));
        } else if (content != null) {
            children.add(new Text(content.toString()));
        }
    }

    /** Returns an attribute; one without a value if the value is empty. */
    static Attribute at(String name, Object value) {
        return new Attribute(name, value.toString());
    }

    /** Returns an attribute if the condition holds, else null. */
    static @Nullable Attribute at(String name, boolean condition) {
        return condition ? new Attribute(name, "") : null;
    }

    /** An attribute. */
    record Attribute(String name, String value) {
        private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9-]*");

        /** Refuses a name that is none, and one that would run a script or set a style. */
        public Attribute {
            if (!NAME.matcher(name).matches() || name.startsWith("on") || name.equals("style")) {
                throw new IllegalArgumentException("attribute must not be " + name);
            }
        }

        private void write(StringBuilder page) {
            if (name.equals("value")) {
                Escape.appendExactly(page, value);
            } else {
                Escape.append(page, value);
            }
        }
    }

    /** An element. */
    record Element(String name, List<Attribute> attributes, List<Html> children) implements Html {
        private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9]*");
        private static final Set<String> VOID = Set.of("br", "hr", "img", "input", "link", "meta");

        /** Refuses a name that is none. */
        public Element {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("element must not be " + name);
            }
        }

        @Override
        public void write(StringBuilder page) {
            page.append('<').append(name);
            for (Attribute each : attributes) {
                page.append(' ').append(each.name());
                if (!each.value().isEmpty()) {
                    page.append("=\"");
                    each.write(page);
                    page.append('"');
                }
            }
            page.append('>');
            children.forEach(child -> child.write(page));
            if (!VOID.contains(name)) {
                page.append("</").append(name).append('>');
            }
        }
    }

    /** A text. */
    record Text(String text) implements Html {
        @Override
        public void write(StringBuilder page) {
            Escape.append(page, text);
        }
    }

    /** Several pieces. */
    record Group(List<Html> children) implements Html {
        @Override
        public void write(StringBuilder page) {
            children.forEach(child -> child.write(page));
        }
    }
}
