package dev.duetime.lab.console;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page that was read by strict rules: only what the console writes itself is markup. */
final class StrictPage {
    private static final Pattern TAG =
            Pattern.compile("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*" + "(?:=\"[^\"<>]*\")?)*)>");
    private static final Pattern ATTRIBUTE = Pattern.compile(" ([a-zA-Z][a-zA-Z0-9-]*)(?:=\"([^\"<>]*)\")?");
    private static final Pattern BARE = Pattern.compile("&(?!(?:amp|lt|gt|quot|#39);)");
    private static final Pattern REFERENCE = Pattern.compile("&#x([0-9a-f]+);");
    private static final Set<String> VOID = Set.of("br", "hr", "img", "input", "link", "meta");
    private static final Set<String> FORBIDDEN = Set.of("img", "iframe", "object", "embed", "base", "style");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action", "hx-get", "data-live");

    /** An element with its attributes, whose values are texts. */
    record Tag(String name, Map<String, String> attributes) {
        String get(String attribute) {
            return attributes.getOrDefault(attribute, "");
        }
    }

    private final List<Tag> tags = new ArrayList<>();
    private final String base;

    private StrictPage(String base) {
        this.base = base;
    }

    /**
     * Reads a page.
     *
     * @throws AssertionError if a text of a user may have become markup
     */
    static StrictPage of(byte[] body, String base) {
        StrictPage page = new StrictPage(base);
        page.read(decoded(body));
        return page;
    }

    private static String decoded(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError("the page must be UTF-8", e);
        }
    }

    private void read(String whole) {
        String html = whole.startsWith("<!doctype html>") ? whole.substring("<!doctype html>".length()) : whole;
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(html);
        int end = 0;
        while (tag.find()) {
            text(html.substring(end, tag.start()));
            end = tag.end();
            String name = tag.group(2);
            if (!tag.group(1).isEmpty()) {
                check(!open.isEmpty() && open.pop().equals(name), "</" + name + "> must close what is open");
            } else {
                add(name, tag.group(3));
                if (!VOID.contains(name)) {
                    open.push(name);
                }
            }
        }
        text(html.substring(end));
        check(open.isEmpty(), "all must be closed but " + open);
    }

    private void add(String name, String attributes) {
        check(!FORBIDDEN.contains(name), "<" + name + "> must not be there");
        Map<String, String> values = new TreeMap<>();
        Matcher each = ATTRIBUTE.matcher(attributes);
        while (each.find()) {
            String value = each.group(2) == null ? "" : each.group(2);
            String attribute = each.group(1);
            boolean isField = attribute.equals("value");
            text(isField ? REFERENCE.matcher(value).replaceAll("") : value);
            String plain = isField ? plain(referred(value)) : plain(value);
            check(!attribute.startsWith("on") && !attribute.equals("style"), attribute + " must not be there");
            if (ADDRESSES.contains(attribute) && !plain.equals("off") && !plain.equals("#live")) {
                check(
                        plain.startsWith(base + "/") && !plain.startsWith("//"),
                        attribute + " must be an address of the console but was " + plain);
            }
            values.put(attribute, plain);
        }
        check(!name.equals("script") || !values.getOrDefault("src", "").isEmpty(), "a script must be a file");
        tags.add(new Tag(name, values));
    }

    /** Texts and values contain no markup, and nothing that cannot be seen. */
    private static void text(String text) {
        check(
                text.indexOf('<') < 0 && text.indexOf('>') < 0 && text.indexOf('"') < 0,
                "a text must be escaped: " + text);
        check(!BARE.matcher(text).find(), "& must be escaped: " + text);
        text.codePoints().forEach(point -> {
            int type = Character.getType(point);
            boolean isHidden = (Character.isISOControl(point) && point != '\n' && point != '\t')
                    || type == Character.FORMAT
                    || type == Character.SURROGATE
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            check(!isHidden, "U+%04X must be shown as its number".formatted(point));
        });
    }

    /** Only the value of a field refers to characters by number, because it comes back with its form. */
    private static String referred(String value) {
        return REFERENCE.matcher(value).replaceAll(each -> Character.toString(Integer.parseInt(each.group(1), 16)));
    }

    private static String plain(String value) {
        return value.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError(rule);
        }
    }

    /** Returns the elements in their order. */
    List<Tag> tags() {
        return tags;
    }
}
