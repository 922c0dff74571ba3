package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of where a deadline comes from. It is decided when the timer is scheduled. */
class ValidityTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .validFor(DAY)
                    .queue("mail", queue -> queue.validFor(HOUR).publisher(batch -> {}))
                    .queue("sms", queue -> queue.publisher(batch -> {}))
                    .type("reminder", type -> type.validFor(Duration.ofMinutes(5))))
            .build();
    private final Instant dueAt = kit.now().plus(DAY);

    private @Nullable Duration validity(Timer timer) {
        kit.scheduler().schedule(timer);
        Instant expiresAt =
                kit.store().find(timer.key()).orElseThrow().content().expiresAt();
        return expiresAt == null ? null : Duration.between(dueAt, expiresAt);
    }

    @Test
    void theNarrowestSettingDecides() {
        Timer.Builder timer = Timer.at("a", dueAt);
        assertThat(validity(timer.build())).isEqualTo(DAY);
        assertThat(validity(timer.queue("sms").build())).isEqualTo(DAY);
        assertThat(validity(timer.queue("mail").build())).isEqualTo(HOUR);
        assertThat(validity(timer.type("reminder").build())).isEqualTo(Duration.ofMinutes(5));
        assertThat(validity(timer.expiresAt(dueAt.plusSeconds(7)).build())).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aTimerMayBeExemptedFromAllDefaults() {
        Timer.Builder timer =
                Timer.at("a", dueAt).type("reminder").queue("mail").neverExpires();

        assertThat(validity(timer.build())).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.validFor(DAY))
                .withMessage(
                        "validFor must not be given to a timer that never expires but was PT24H (timer default/a)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timer.at("a", dueAt).expiresAt(dueAt).neverExpires())
                .withMessage(
                        "expiresAt must not be given to a timer that never expires but was %s (timer default/a)",
                        dueAt);
    }

    @Test
    void thereIsNoDeadlineUnlessOneIsSet() {
        TimerKit plain = TimerKit.create();
        plain.scheduler().schedule(Timer.at("a", plain.now()).build());
        assertThat(plain.store().find(TimerKey.of("a")).orElseThrow().content().expiresAt())
                .isNull();
    }

    @Test
    void aLateRepeatIsUnchanged() {
        Timer timer = Timer.at("a", dueAt).type("reminder").build();
        Timer own = Timer.at("b", dueAt).validFor(HOUR).build();
        kit.scheduler().schedule(timer);
        kit.scheduler().schedule(own);
        kit.advance(HOUR);
        assertThat(kit.scheduler().schedule(timer)).isUnchanged();
        assertThat(kit.scheduler().schedule(own)).isUnchanged();
    }

    @Test
    void aDeadlineIsTheSameHoweverItIsGiven() {
        kit.scheduler().schedule(Timer.at("a", dueAt).validFor(HOUR).build());
        assertThat(kit.scheduler()
                        .schedule(
                                Timer.at("a", dueAt).expiresAt(dueAt.plus(HOUR)).build()))
                .isUnchanged();
    }

    @Test
    void allNodesGoByTheDeadlineThatWasStored() {
        kit.scheduler().schedule(Timer.at("a", dueAt).type("reminder").build());
        kit.scheduler().schedule(Timer.at("b", dueAt).validFor(HOUR).build());
        kit.node(0).crash();
        kit.advance(DAY.plus(Duration.ofMinutes(10)));
        kit.addNode(scheduler -> scheduler.type("reminder", type -> type.validFor(DAY)));
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredInOrder("b");
    }

    @Test
    void aNodeWithOtherSettingsReschedules() {
        Timer timer = Timer.at("a", dueAt).type("reminder").build();
        kit.scheduler().schedule(timer);
        Scheduler newer = kit.addNode(scheduler -> scheduler.type("reminder", type -> type.validFor(HOUR)))
                .scheduler();
        assertThat(newer.schedule(timer)).isRescheduled();
    }
}
