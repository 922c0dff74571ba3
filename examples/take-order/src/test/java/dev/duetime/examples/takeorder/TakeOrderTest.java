package dev.duetime.examples.takeorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.TimerQuery;
import dev.duetime.examples.takeorder.Faults.Moment;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.StoreCall;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders in virtual time: nothing goes wrong, steps fail, nodes are killed at each of them. */
class TakeOrderTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);

    private Faults faults = Faults.none();
    private final ShopKit kit = new ShopKit((orderId, step, attempt, moment) -> faults(orderId, step, attempt, moment));

    TakeOrderTest() throws SQLException {}

    private void faults(String orderId, String step, int attempt, Moment moment) throws IOException {
        faults.strike(orderId, step, attempt, moment);
    }

    static Stream<String> steps() {
        return TakeOrder.STEPS.stream();
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private void take(String id) {
        assertThat(kit.shop.orders.take(ShopKit.order(id)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    /** Everything that the steps have written is there once, and nothing else. */
    private void assertTakenOnce(String... ids) throws SQLException {
        assertThat(kit.query("SELECT order_id, status FROM shop_orders"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ids).map(id -> id + " TAKEN").toList());
        assertThat(kit.query("SELECT order_number FROM shop_orders ORDER BY order_number"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, ids.length)
                        .mapToObj(String::valueOf)
                        .toList());
        assertThat(kit.query("SELECT sum(last_number) FROM shop_partitions")).containsExactly("" + ids.length);
        assertThat(kit.query("SELECT order_id, receipt FROM shop_sales"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ids).map(id -> id + " receipt-" + id).toList());
        assertThat(kit.waiting().reported()).containsExactlyInAnyOrder(ids);
        assertThat(kit.waiting().mailed()).containsExactlyInAnyOrder(ids);
        assertThat(kit.waiting().approvals()).containsExactlyInAnyOrder(ids);
        assertThat(kit.outside.paid).contains(ids);
    }

    @Test
    void anOrderGoesThroughAllStepsAndIsApprovedADayLater() throws SQLException {
        take("o");
        kit.kit.runDue();
        assertThat(kit.ran).isEqualTo(TakeOrder.STEPS);
        assertTakenOnce("o");
        assertThat(kit.outside.paid).containsExactly("o");

        kit.kit.advance(DAY.minusMillis(1));
        assertThat(kit.query("SELECT status FROM shop_orders")).containsExactly("TAKEN");
        kit.kit.advance(Duration.ofMillis(1));
        assertThat(kit.query("SELECT status FROM shop_orders")).containsExactly("APPROVED");
    }

    @Test
    void anOrderThatIsSentTwiceIsTakenOnce() throws SQLException {
        take("o");
        assertThat(kit.shop.orders.take(ShopKit.order("o")).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        kit.kit.runDue();
        assertThat(kit.shop.orders.take(ShopKit.order("o")).outcome()).isEqualTo(ScheduleOutcome.IGNORED);
        kit.kit.advance(MINUTE);

        assertTakenOnce("o");
    }

    @Test
    void aPaymentIsTriedAgainUntilTheServiceIsBackAndNoOtherStepIs() throws SQLException {
        kit.outside.failures = 3;
        take("o");
        kit.kit.runDue();
        assertThat(kit.ran).endsWith("stamp", "payments");
        assertThat(kit.query("SELECT status FROM shop_orders")).containsExactly("STAMPED");
        kit.kit.advance(MINUTE);

        List<String> expected = new ArrayList<>(TakeOrder.STEPS);
        expected.addAll(expected.indexOf("payments"), List.of("payments", "payments", "payments"));
        assertThat(kit.ran).isEqualTo(expected);
        assertTakenOnce("o");
    }

    @Test
    void aPaymentThatFailsForEverIsDeadAndGoesOnWhenItIsRevived() throws SQLException {
        kit.outside.failures = 10;
        take("o");
        kit.kit.advance(MINUTE.multipliedBy(15));
        List<StoredTimer> dead = kit.kit.store().query(TimerQuery.all().state(TimerState.DEAD));
        assertThat(dead).singleElement().satisfies(each -> assertThat(each.content().step()).isEqualTo("payments"));

        kit.kit.scheduler().admin().revive(dead.get(0).key());
        kit.kit.advance(MINUTE);
        assertTakenOnce("o");
    }

    @ParameterizedTest
    @MethodSource("steps")
    void whatAStepHadDoneWhenItFailedIsUndone(String failing) throws SQLException {
        faults = (orderId, step, attempt, moment) -> {
            if (step.equals(failing) && moment == Moment.END && attempt == 1) {
                throw new IOException("fails");
            }
        };
        take("o");
        kit.kit.advance(MINUTE);

        assertThat(kit.ran).isEqualTo(withOneTwice(failing));
        assertTakenOnce("o");
    }

    private static List<String> withOneTwice(String step) {
        List<String> expected = new ArrayList<>(TakeOrder.STEPS);
        expected.add(expected.indexOf(step), step);
        return expected;
    }

    private void assertSurvived(String step, Moment when, Consumer<KitNode> fault, List<String> expected)
            throws SQLException {
        boolean[] struck = new boolean[1];
        faults = (orderId, at, attempt, moment) -> {
            if (at.equals(step) && moment == when && !struck[0]) {
                struck[0] = true;
                fault.accept(kit.kit.node(0));
            }
        };
        take("o");
        kit.kit.runDue();
        assertThat(kit.kit.node(0).isCrashed()).isTrue();
        kit.kit.node(0).restart();
        kit.kit.advance(MINUTE);

        assertThat(kit.ran).isEqualTo(expected);
        assertTakenOnce("o");
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aNodeThatIsKilledBetweenTwoStepsRepeatsNothing(String step) throws SQLException {
        // The step that had not done anything yet begins twice.
        assertSurvived(step, Moment.BEGIN, KitNode::crash, withOneTwice(step));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aNodeThatIsKilledAtTheEndOfAStepRepeatsThatStepOnlyAndNothingIsWrittenTwice(String step)
            throws SQLException {
        assertSurvived(step, Moment.END, KitNode::crash, withOneTwice(step));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void aNodeThatIsKilledWhenAStepIsWrittenRepeatsNothing(String step) throws SQLException {
        StoreCall write = List.of("partition", "payments").contains(step) ? StoreCall.SETTLE : StoreCall.COMMIT;
        assertSurvived(step, Moment.END, node -> node.crashAfter(write), TakeOrder.STEPS);
    }

    @Test
    void allOrdersAreTakenOnceThoughOneStepInThreeFails() throws SQLException {
        faults = Faults.of(42, 33);
        String[] ids = IntStream.range(0, 9).mapToObj(i -> "o-" + i).toArray(String[]::new);
        Stream.of(ids).forEach(this::take);
        kit.kit.advance(MINUTE.multipliedBy(5));

        assertThat(kit.ran).hasSizeGreaterThan(ids.length * TakeOrder.STEPS.size() + ids.length);
        assertTakenOnce(ids);
    }
}
