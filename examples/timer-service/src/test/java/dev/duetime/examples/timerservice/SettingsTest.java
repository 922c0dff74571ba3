package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    @Test
    void theDefaultsAreThoseOfTheReadme() {
        Settings settings = Settings.of(Map.of());

        assertThat(settings.pollingInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.batchSize()).isEqualTo(100);
        assertThat(settings.database().url()).startsWith("jdbc:sqlite:").contains("/event_service.db?");
        assertThat(settings.broker())
                .isEqualTo(new Settings.BrokerSettings(
                        "nats://127.0.0.1:4222",
                        "TIMER_COMMANDS",
                        "timer.commands",
                        "timer-service",
                        "TIMER_EVENTS",
                        "timer.events"));
        assertThat(settings.http()).isEqualTo(new Settings.HttpAddress("127.0.0.1", 8080));
        assertThat(settings.consolePort()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"5000,PT5S", "250ms,PT0.25S", "5s,PT5S", "2m,PT2M", "1h,PT1H", "PT1.5S,PT1.5S"})
    void aDurationIsReadInEitherForm(String value, Duration expected) {
        assertThat(Settings.of(Map.of("TIMER_POLLING_INTERVAL", value)).pollingInterval())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TIMER_POLLING_INTERVAL | soon | a duration from PT0.001S to PT1H, such as 5000 (milliseconds), 5s or PT5S",
                "TIMER_POLLING_INTERVAL | 0ms | a duration from PT0.001S to PT1H, such as 5000 (milliseconds), 5s or PT5S",
                "TIMER_POLLING_INTERVAL | 61m | a duration from PT0.001S to PT1H, such as 5000 (milliseconds), 5s or PT5S",
                "TIMER_POLLING_INTERVAL | 0 | a duration from PT0.001S to PT1H, such as 5000 (milliseconds), 5s or PT5S",
                "TIMER_BATCH_SIZE | many | a whole number from 1 to 10000",
                "TIMER_BATCH_SIZE | 0 | a whole number from 1 to 10000",
                "TIMER_BATCH_SIZE | 10001 | a whole number from 1 to 10000",
                "TIMER_DB_PATH | /no/such/directory/a.db | a file in a directory that exists, or a JDBC URL",
                "TIMER_DB_PATH | / | a file in a directory that exists, or a JDBC URL",
                "TIMER_BROKER_URL | http://a:4222 | URLs such as nats://host:4222, separated by commas",
                "TIMER_BROKER_URL | nats:// | URLs such as nats://host:4222, separated by commas",
                "TIMER_COMMAND_STREAM | a.b | 1 to 64 letters, digits, - or _",
                "TIMER_CONSUMER | a b | 1 to 64 letters, digits, - or _",
                "TIMER_EVENT_STREAM | TIMER_COMMANDS | another than TIMER_COMMAND_STREAM",
                "TIMER_COMMAND_SUBJECT | a.> | a subject without wildcards, of letters, digits, -, _ and dots",
                "TIMER_EVENT_SUBJECT | timer.commands | another than TIMER_COMMAND_SUBJECT",
                "TIMER_HTTP_HOST | a b | a host name or an address",
                "TIMER_HTTP_PORT | 65536 | a whole number from 0 to 65535",
                "TIMER_CONSOLE_PORT | -1 | a whole number from 0 to 65535",
            })
    void aWrongValueIsRefusedByItsVariableTheLimitAndTheValue(String variable, String value, String allowed) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of(variable, value)))
                .withMessage("%s must be %s but was \"%s\"".formatted(variable, allowed, value));
    }

    @Test
    void aRefusalShowsNoLogin() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of("TIMER_BROKER_URL", "http://user:secret@host")))
                .withMessageEndingWith("but was \"http://…@host\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TIMER_BROKER_URL | nats://user:top/secret@host:4222 | nats://…@host:4222",
                "TIMER_BROKER_URL | nats://user:top@secret/x@host:4222 | nats://…@host:4222",
                "TIMER_BROKER_URL | nats://a:secret@h1 ,nats://b:secret@h2 | nats://…@h2",
                "TIMER_DB_PATH | /no/such;USER=sa;PASSWORD=top secret;X=1 | /no/such;USER=sa;PASSWORD=…;X=1",
                "TIMER_DB_PATH | /no/such;USER=sa;PASSWORD=top&secret;X=1 | /no/such;USER=sa;PASSWORD=…;X=1",
                "TIMER_DB_PATH | postgresql/no?password=top;secret&X=1 | postgresql/no?password=…&X=1",
                "TIMER_DB_PATH | postgresql/no?password=top&secret&X=1 | postgresql/no?password=…&X=1",
                "TIMER_BROKER_URL | user:top secret@host:4222 | …@host:4222",
                "TIMER_BROKER_URL | nats:user:top/secret@host:4222 | …@host:4222",
            })
    void aRefusalShowsNoPasswordWhateverItIsMadeOf(String variable, String value, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of(variable, value)))
                .withMessageEndingWith("but was \"%s\"", shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:./timers;USER=sa;PASSWORD=secret;MODE=PostgreSQL | jdbc:h2:./timers",
                "jdbc:postgresql://host:5432/db?user=me&password=secret | jdbc:postgresql://host:5432/db",
                "jdbc:postgresql://host/db?user=a@b&password=secret | jdbc:postgresql://…@b",
                "jdbc:mariadb://me:top/secret@host/db?x=1 | jdbc:mariadb://…@host/db",
            })
    void aDatabaseIsShownWithoutLoginAndSettings(String url, String shown) {
        assertThat(DatabaseUrl.of(url)).hasToString(shown);
    }

    @Test
    void theErrorOfAFailedStartIsOneLineWithoutPasswords() {
        Exception driver = new IllegalStateException("FATAL: role is not\npermitted, jdbc:h2:x;PASSWORD=secret");

        assertThat(Secrets.reasons(new IllegalStateException(
                        "no connection", new IllegalStateException("FATAL: role is not permitted", driver))))
                .isEqualTo("no connection, caused by FATAL: role is not permitted, caused by FATAL: role is not"
                        + " permitted, jdbc:h2:x;PASSWORD=…");
        assertThat(Secrets.reasons(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }
}
