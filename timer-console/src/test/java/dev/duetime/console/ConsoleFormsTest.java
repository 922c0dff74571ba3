package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules of forms that are sent twice or too late. */
class ConsoleFormsTest extends ConsoleKit {
    private static final Pattern QUESTION = Pattern.compile("name=\"question\" value=\"([^\"]+)\"");
    private static final String REVIVE = "action=revive&state=dead&type=invoice";

    private final List<Runnable> waiting = new ArrayList<>();

    private void serve(Grant grant) {
        console = Console.of(kit.scheduler()).access(request -> grant).build(waiting::add, Duration.ZERO);
    }

    /** Asks how many match, as a browser does, and returns the form that confirms it. */
    private String asked(String form) {
        Matcher question = QUESTION.matcher(body(post("/do/ask", form)));
        assertThat(question.find()).isTrue();
        return form + "&question=" + question.group(1);
    }

    @Test
    void aFormThatIsSentTwiceBeginsOneRun() {
        dead(TimerKey.of("acme", "a"));
        serve(Grant.operate("olga"));
        String form = asked(REVIVE);

        post("/do/all", form);
        post("/do/all", form);
        waiting.forEach(Runnable::run);
        post("/do/all", form);

        assertThat(runs).hasSize(3);
        assertThat(runs.get(1)).isEqualTo(runs.get(0));
        assertThat(runs.get(2)).isEqualTo(runs.get(0));
        assertThat(waiting).hasSize(1);
        assertThat(page(run(1))).contains("Revive: done", "1 of 1 timers");
    }

    @Test
    void eachQuestionBeginsARunOfItsOwn() {
        dead(TimerKey.of("acme", "a"));
        serve(Grant.operate("olga"));

        post("/do/all", asked(REVIVE));
        post("/do/all", asked(REVIVE));
        post("/do/all", REVIVE);
        post("/do/all", REVIVE);

        assertThat(runs).doesNotHaveDuplicates().hasSize(4);
    }

    @Test
    void aFormBeginsItsRunAgainAfterItWasStopped() {
        dead(TimerKey.of("acme", "a"));
        serve(Grant.operate("olga"));
        String form = asked(REVIVE);
        post("/do/all", form);
        post("/do/stop", "run=" + runs.get(0));

        post("/do/all", form);
        waiting.forEach(Runnable::run);

        assertThat(page(run(2))).contains("Revive: done", "1 of 1 timers");
    }

    @Test
    void aFormBeginsItsRunAgainAfterItHasFailed() {
        dead(TimerKey.of("acme", "a"));
        serve(Grant.operate("olga"));
        String form = asked(REVIVE);
        post("/do/all", form);
        kit.node(0).storeDown();
        waiting.remove(0).run();
        kit.node(0).storeUp();
        assertThat(page(run(1))).contains("Revive: failed");

        post("/do/all", form);
        waiting.remove(0).run();

        assertThat(page(run(2))).contains("Revive: done", "1 of 1 timers");
    }

    @Test
    void aFormWithAnotherTimeBeginsAnotherRun() {
        schedule(TimerKey.of("acme", "a"), "mail");
        serve(Grant.operate("olga"));
        String form = asked("action=reschedule&state=scheduled&type=mail");

        post("/do/all", form + "&to=2030-01-01T02:00");
        post("/do/all", form + "&to=2030-01-01T03:00");
        post("/do/all", form + "&to=2030-01-01T03:00");

        assertThat(runs.get(1)).isNotEqualTo(runs.get(0));
        assertThat(runs.get(2)).isEqualTo(runs.get(1));
    }

    @Test
    void aFormLeadsToNoRunOfSomebodyElse() {
        dead(TimerKey.of("acme", "a"));
        List<String> users = new ArrayList<>(List.of("olga", "anna", "anna", "anna"));
        console = Console.of(kit.scheduler())
                .access(request -> Grant.operate(users.get(0)))
                .build(waiting::add, Duration.ZERO);
        String form = asked(REVIVE);
        post("/do/all", form);
        users.remove(0);

        post("/do/all", form);
        post("/do/all", form.replace("&type=invoice", "&tenant=acme"));
        post("/do/all", form.replace("action=revive", "action=purge") + "&typed=purge");

        assertThat(runs).doesNotHaveDuplicates().hasSize(4);
    }

    @Test
    void aStopThatComesTooLateDoesNotHideThatARunIsDone() {
        dead(TimerKey.of("acme", "a"));
        serve(Grant.operate("olga"));
        post("/do/all", asked(REVIVE));
        waiting.forEach(Runnable::run);

        post("/do/stop", "run=" + runs.get(0));
        console.close();

        assertThat(page(run(1))).contains("Revive: done");
    }
}
