package dev.duetime.examples.takeorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.examples.takeorder.Faults.Moment;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.fault.StoreCall;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of orders in virtual time: without failures, with failing steps, and with nodes that are killed in each step.
 */
class TakeOrderTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TAKEOVER = Duration.ofSeconds(30);
    private static final Duration DAY = Duration.ofDays(1);

    private Faults faults = Faults.none();
    private final ShopKit kit = new ShopKit((orderId, step, attempt, moment) -> faults(orderId, step, attempt, moment));

    TakeOrderTest() throws SQLException {}

    private void faults(String orderId, String step, int attempt, Moment moment) throws IOException {
        faults.strike(orderId, step, attempt, moment);
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private void take(String id) {
        assertThat(kit.shop.orders.take(ShopKit.order(id)).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    /** Each write of the steps exists once, and nothing else. */
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
    void anOrderGoesThroughAllSteps() throws SQLException {
        take("o");
        kit.kit.runDue();

        assertThat(kit.ran).isEqualTo(TakeOrder.STEPS);
        assertTakenOnce("o");
        assertThat(kit.outside.paid).containsExactly("o");
    }

    @Test
    void anOrderIsApprovedADayLater() throws SQLException {
        try (ShopKit shop = ShopKit.forHours()) {
            shop.shop.orders.take(ShopKit.order("o"));
            shop.kit.advance(DAY.minusMillis(1));
            assertThat(shop.query("SELECT status FROM shop_orders")).containsExactly("TAKEN");
            shop.kit.advance(Duration.ofMillis(1));
            assertThat(shop.query("SELECT status FROM shop_orders")).containsExactly("APPROVED");
        }
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
    void onlyThePaymentIsRetriedUntilTheServiceIsBack() throws SQLException {
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
    void aPaymentThatAlwaysFailsIsDeadAndContinuesWhenRevived() throws SQLException {
        kit.outside.failures = 10;
        take("o");
        kit.kit.advance(MINUTE.multipliedBy(15));
        List<StoredTimer> dead = kit.kit.store().query(TimerQuery.all().state(TimerState.DEAD));
        assertThat(dead)
                .singleElement()
                .satisfies(each -> assertThat(each.content().step()).isEqualTo("payments"));

        kit.kit.scheduler().admin().revive(dead.get(0).key());
        kit.kit.advance(MINUTE);
        assertTakenOnce("o");
    }

    @Test
    void theWritesOfAFailedStepAreUndone() throws SQLException {
        faults = (orderId, step, attempt, moment) -> {
            if (step.equals(orderId) && moment == Moment.END && attempt == 1) {
                throw new IOException("fails");
            }
        };
        for (String step : TakeOrder.STEPS) {
            kit.ran.clear();
            take(step);
            kit.kit.advance(Duration.ofSeconds(5));
            assertThat(kit.ran).isEqualTo(withOneTwice(step));
        }
        assertTakenOnce(TakeOrder.STEPS.toArray(String[]::new));
    }

    private static List<String> withOneTwice(String step) {
        List<String> expected = new ArrayList<>(TakeOrder.STEPS);
        expected.add(expected.indexOf(step), step);
        return expected;
    }

    /** For each step an order, in which a node is killed in that step. */
    private void assertSurvived(Moment when, BiConsumer<String, KitNode> fault, Function<String, List<String>> runs)
            throws SQLException {
        Set<String> struck = new HashSet<>();
        faults = (orderId, step, attempt, moment) -> {
            if (step.equals(orderId) && moment == when && struck.add(step)) {
                fault.accept(step, kit.kit.node(0));
            }
        };
        for (String step : TakeOrder.STEPS) {
            kit.ran.clear();
            take(step);
            kit.kit.runDue();
            assertThat(kit.kit.node(0).isCrashed()).isTrue();
            kit.kit.node(0).restart();
            kit.kit.advance(TAKEOVER);
            assertThat(kit.ran).isEqualTo(runs.apply(step));
        }
        assertTakenOnce(TakeOrder.STEPS.toArray(String[]::new));
    }

    /** The step that had not done anything yet begins twice. */
    @Test
    void aNodeThatIsKilledBetweenTwoStepsRepeatsNothing() throws SQLException {
        assertSurvived(Moment.BEGIN, (step, node) -> node.crash(), TakeOrderTest::withOneTwice);
    }

    @Test
    void aNodeThatIsKilledAtTheEndOfAStepRepeatsThatStepOnlyAndNothingIsWrittenTwice() throws SQLException {
        assertSurvived(Moment.END, (step, node) -> node.crash(), TakeOrderTest::withOneTwice);
    }

    @Test
    void aNodeThatIsKilledBeforeAStepIsWrittenRepeatsThatStepOnlyAndNothingIsWrittenTwice() throws SQLException {
        assertSurvived(Moment.END, (step, node) -> node.crashBefore(writeOf(step)), TakeOrderTest::withOneTwice);
    }

    @Test
    void aNodeThatIsKilledWhenAStepIsWrittenRepeatsNothing() throws SQLException {
        assertSurvived(Moment.END, (step, node) -> node.crashAfter(writeOf(step)), step -> TakeOrder.STEPS);
    }

    /** The outcomes of steps that write nothing else are settled alone. */
    private static StoreCall writeOf(String step) {
        return Set.of("partition", "payments").contains(step) ? StoreCall.SETTLE : StoreCall.COMMIT;
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
