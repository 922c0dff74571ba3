package dev.duetime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what may be shown of texts that hold passwords. */
class PrintableTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "jdbc:h2:~/t;CIPHER=AES;USER=sa;PASSWORD=file top secret;X=1 | jdbc:h2:~/t;CIPHER=AES;USER=sa;PASSWORD=…;X=1",
                "jdbc:h2:x;password=top&secret;X=1 | jdbc:h2:x;password=…;X=1",
                "jdbc:h2:x;password = top secret | jdbc:h2:x;password = …",
                "jdbc:postgresql://h/db?user=u&password=top;secret&ssl=1 | jdbc:postgresql://h/db?user=u&password=…&ssl=1",
                "jdbc:postgresql://h/db?sslpassword=top;secret failed | jdbc:postgresql://h/db?sslpassword=…",
                "jdbc:x://h/db?password=top secret&ssl=1 failed | jdbc:x://h/db?password=…&ssl=1 failed",
                "jdbc:x://h/db?password=top&secret&more secret&ssl=1 | jdbc:x://h/db?password=…&ssl=1",
                "jdbc:x://h/db?password=…secret | jdbc:x://h/db?password=…",
                "jdbc:h2:x;PASSWORD=…secret;X=1 | jdbc:h2:x;PASSWORD=…;X=1",
                "failed to parse the connection string near 'secret)'. | failed to parse the connection string near …",
                "jdbc:mariadb://u:top/secret@h/db?keyStorePassword=secret | jdbc:mariadb://…@h/db?keyStorePassword=…",
                "amqp://u:top@secret/x@h:5672/%2f refused | amqp://…@h:5672/%2f refused",
                "u:top/secret@host:4222 | …@host:4222",
                "'u:top:secret@host' is no URL | '…@host' is no URL",
                "nats:u:top=secret@host | …@host",
                "Incorrect port value : secret@127.0.0.1 (X) | Incorrect port value : … (X)",
                "Incorrect port value : secret | Incorrect port value : …",
                "nats connection to secret@host:4222 failed | nats connection to …@host:4222 failed",
                "todo of the key a/t1@mails is not there | todo of the key a/t1@mails is not there",
                "no login: password=top secret | no login: password=…",
                "Access denied for user 'u'@'h' (using password: YES) | Access denied for user 'u'@'h' (using password: YES)",
                "http://h:80/x | http://h:80/x"
            })
    void aPasswordIsNotShown(String text, String shown) {
        assertThat(Printable.withoutSecrets(text)).isEqualTo(shown).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:x;PASSWORD=… (SQLException), caused by //…@h: refused | jdbc:h2:x;PASSWORD=… (SQLException), caused by //…@h: refused",
                "jdbc:x?password=… (SQLException), caused by a&b=c | jdbc:x?password=… (SQLException), caused by a&b=c"
            })
    void aTextMayBeHiddenTwice(String text, String shown) {
        assertThat(Printable.withoutSecrets(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"password=a&b", "password", "//", "a:", "(", "@", "?token", "password =", "x@h:"})
    void aLongTextCostsNoLongTimeAndNoStack(String part) {
        String shown = Printable.withoutSecrets("start " + part.repeat(100_000));

        assertThat(shown).startsWith("start ").hasSizeLessThanOrEqualTo(Printable.LONGEST + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats://u:", "u:", "connected to "})
    void aLoginThatIsLongerThanWhatIsSearchedIsNotShown(String start) {
        String shown = Printable.withoutSecrets("failed: " + start + "secret".repeat(1_000) + "@host:4222");

        assertThat(shown).startsWith("failed: ").doesNotContain("secret");
    }
}
