package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.internal.Limits;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersJsonTest {

    private static String nameOfAHeader(String name) {
        return HeadersJson.read("{\"" + name + "\":\"red\"}", null)
                .keySet()
                .iterator()
                .next();
    }

    /** Thousands of rows with the same headers are in memory. */
    @Test
    void twoRowsShareTheNameOfAHeader() {
        assertThat(nameOfAHeader("colour")).isEqualTo("colour").isSameAs(nameOfAHeader("colour"));
    }

    /** Such a name is not that of a header of ours. Nothing of it stays. */
    @Test
    void twoRowsDoNotShareALongName() {
        String name = "n".repeat(300);

        assertThat(nameOfAHeader(name)).isEqualTo(name).isNotSameAs(nameOfAHeader(name));
    }

    @Test
    void numbersAreReadAsTexts() {
        assertThat(HeadersJson.read("{\"a\": 1, \"b\": true}", null)).isEqualTo(Map.of("a", "1", "b", "true"));
    }

    /** The longest names and values that the API takes, as another writer may have escaped them. */
    @Test
    void headersOfTheLargestSizeAreRead() {
        Map<String, String> largest = IntStream.range(0, Limits.HEADERS)
                .boxed()
                .collect(Collectors.toMap(i -> longestName(i), i -> "\"".repeat(Limits.HEADER_LENGTH)));

        assertThat(HeadersJson.read(HeadersJson.write(largest), null)).isEqualTo(largest);
        assertThat(HeadersJson.read(escaped(largest), null)).isEqualTo(largest);
    }

    private static String longestName(int number) {
        return number
                + "\u0416".repeat(Limits.NAME_LENGTH - Integer.toString(number).length());
    }

    private static String escaped(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(each -> escaped(each.getKey()) + ":" + escaped(each.getValue()))
                .collect(Collectors.joining(",\n  ", "{\n  ", "\n}"));
    }

    private static String escaped(String text) {
        return text.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining("", "\"", "\""));
    }

    @Test
    void moreHeadersThanTheApiTakesAreRefused() {
        String more = headers(Limits.HEADERS + 1);

        assertThatThrownBy(() -> HeadersJson.read(more, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headers must be at most 64 but were more");
        assertThatThrownBy(() -> HeadersJson.read(null, more))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trace must be at most 64 but were more");
    }

    /** What follows is no JSON, and nobody finds that out. */
    @Test
    void manyHeadersAreNotReadToTheirEnd() {
        String many = headers(100_000).replace("\"99999\"", "no JSON");

        assertThatThrownBy(() -> HeadersJson.read(many, null)).hasMessage("headers must be at most 64 but were more");
    }

    @Test
    void aLongTextIsNotParsed() {
        String text = "no JSON".repeat(HeadersJson.LONGEST / 7 + 1);

        assertThatThrownBy(() -> HeadersJson.read(text, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headers must be at most %s characters but was %s"
                        .formatted(HeadersJson.LONGEST, text.length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nope",
                "",
                "[]",
                "null",
                "\"a\"",
                "{\"a\":[]}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":\"b\"",
                "{\"a\":\"b\"} x",
                "{} {}"
            })
    void whatIsNoObjectOfStringsIsRefused(String text) {
        assertThatThrownBy(() -> HeadersJson.read(text, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headers must be a JSON object of strings");
    }

    private static String headers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + i + "\":\"v\"")
                .collect(Collectors.joining(",", "{", "}"));
    }
}
