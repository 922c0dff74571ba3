package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuetimeExtensionTest {
    private static final Timer ORDER =
            Timer.after("order-17", Duration.ofMinutes(15)).build();

    @Nested
    @ExtendWith(DuetimeExtension.class)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    class ByAnnotation {
        private static final List<TimerKit> KITS = new ArrayList<>();

        @BeforeEach
        void keep(TimerKit kit) {
            KITS.add(kit);
        }

        @Test
        @Order(1)
        void injectsAStartedKit(TimerKit kit) {
            kit.scheduler().schedule(ORDER);
            kit.advance(Duration.ofMinutes(15));
            assertThat(kit).hasDelivered("order-17");
        }

        @Test
        @Order(2)
        void injectsThePartsOfOneKit(TimerKit kit, Scheduler scheduler, TestClock clock, InMemoryPublisher publisher) {
            assertThat(scheduler).isSameAs(kit.scheduler());
            assertThat(clock).isSameAs(kit.clock());
            assertThat(publisher).isSameAs(kit.publisher());
            assertThat(KITS).last().isSameAs(kit);
        }

        @Test
        @Order(3)
        void injectsAFreshKitForEachTest(TimerKit kit) {
            assertThat(kit).hasDeliveredNothing();
            assertThat(KITS).doesNotHaveDuplicates().hasSizeGreaterThan(1);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        @Order(4)
        void standsBesideOtherParameters(
                int minutes, Scheduler scheduler, TestClock clock, InMemoryPublisher publisher) {
            scheduler.schedule(Timer.after("a", Duration.ofMinutes(minutes)).build());
            clock.advance(Duration.ofMinutes(minutes));
            assertThat(publisher).hasDeliveredOnce("a");
        }

        @AfterAll
        static void closesEachKitAfterItsTest() {
            assertThat(KITS).hasSize(5).allSatisfy(kit -> {
                kit.publisher().clear();
                kit.scheduler().schedule(Timer.after("late", Duration.ZERO).build());
                kit.advance(Duration.ofHours(1));
                assertThat(kit).hasDeliveredNothing();
            });
        }
    }

    @Nested
    class ByField {
        private static final Instant NEW_YEAR = Instant.parse("2040-01-01T00:00:00Z");

        @RegisterExtension
        static final DuetimeExtension DUETIME = DuetimeExtension.with(kit -> kit.startTime(NEW_YEAR));

        @Test
        void hasItsSettings(TestClock clock) {
            assertThat(clock.now()).isEqualTo(NEW_YEAR);
        }
    }

    @Nested
    class ByInstanceField {
        private final InMemoryPublisher publisher = new InMemoryPublisher();

        @RegisterExtension
        final DuetimeExtension duetime =
                DuetimeExtension.with(kit -> kit.publisher(publisher).nodes(2));

        @Test
        void hasItsSettings(TimerKit kit) {
            assertThat(kit.publisher()).isSameAs(publisher);
            assertThat(kit.nodes()).hasSize(2);
        }
    }
}
