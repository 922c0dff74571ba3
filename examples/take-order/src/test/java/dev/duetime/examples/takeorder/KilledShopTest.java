package dev.duetime.examples.takeorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests with real processes that are killed between every two steps, and during each step. */
class KilledShopTest {
    private static final List<Point> POINTS = Point.all();

    @TempDir
    Path folder;

    /** Sixteen orders, each of which stops at a different point, and one SIGKILL. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aProcessThatIsKilledWhileAnOrderStandsAtEachPointTakesThemAllOnce(TestDatabase kind) throws Exception {
        killedAtAllPoints(kind);
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    @EnabledIfSystemProperty(named = "duetime.kills", matches = "true")
    void killedOrdersAreTakenOnceOnTheOtherServers(TestDatabase kind) throws Exception {
        killedAtAllPoints(kind);
    }

    private void killedAtAllPoints(TestDatabase kind) throws Exception {
        List<String> ids = POINTS.stream().map(Point::orderId).toList();
        try (TestDatabase.Part database = kind.open(folder);
                ShopProcesses shop = new ShopProcesses(database.url(), folder)) {
            shop.start(
                    ids, POINTS.stream().map(each -> at(each.orderId(), each)).toList());
            shop.await("stands", POINTS.size());
            shop.kill();
            assertWritten(database.url(), point -> point.stepsDone());

            shop.start(ids, List.of());
            shop.awaitEnd();
            assertWritten(database.url(), point -> TakeOrder.STEPS.size());
            for (Point each : POINTS) {
                List<String> expected = new ArrayList<>(TakeOrder.STEPS);
                expected.add(each.stepsDone(), each.step());
                assertThat(ran(shop, each.orderId())).as(each.orderId()).isEqualTo(expected);
                assertThat(shop.lines().stream().filter(line -> line.equals("paid " + each.orderId())))
                        .hasSize(each.orderId().equals("payments-END") ? 2 : 1);
            }
        }
    }

    private static String at(String orderId, Point point) {
        return "%s/%s/%s".formatted(orderId, point.step(), point.moment());
    }

    private static List<String> ran(ShopProcesses shop, String orderId) throws IOException {
        String prefix = "run " + orderId + " ";
        return shop.lines().stream()
                .filter(each -> each.startsWith(prefix))
                .map(each -> each.substring(prefix.length()))
                .toList();
    }

    /** One order, and sixteen processes of which each is killed at the next point. */
    @ParameterizedTest
    @EnumSource
    @Timeout(900)
    @EnabledIfSystemProperty(named = "duetime.kills", matches = "true")
    void anOrderIsTakenOnceThoughItsProcessIsKilledAtEachPoint(TestDatabase kind) throws Exception {
        try (TestDatabase.Part database = kind.open(folder);
                ShopProcesses shop = new ShopProcesses(database.url(), folder)) {
            for (int i = 0; i < POINTS.size(); i++) {
                shop.start(List.of("o"), List.of(at("o", POINTS.get(i))));
                shop.await("stands", i + 1);
                shop.kill();
            }
            shop.start(List.of("o"), List.of());
            shop.awaitEnd();

            assertWritten(database.url(), List.of("o"), order -> TakeOrder.STEPS.size());
            // In each step the process was killed before and after the work of the step.
            assertThat(ran(shop, "o"))
                    .isEqualTo(TakeOrder.STEPS.stream()
                            .flatMap(step -> Stream.of(step, step, step))
                            .toList());
            assertThat(shop.lines().stream().filter("paid o"::equals)).hasSize(2);
        }
    }

    private static void assertWritten(String url, Function<Point, Integer> stepsDone) throws SQLException {
        assertWritten(
                url,
                POINTS.stream().map(Point::orderId).toList(),
                id -> POINTS.stream()
                        .filter(each -> each.orderId().equals(id))
                        .map(stepsDone)
                        .findFirst()
                        .orElseThrow());
    }

    /** Each order has left the writes of its completed steps once, and no writes of other steps. */
    private static void assertWritten(String url, List<String> ids, Function<String, Integer> stepsDone)
            throws SQLException {
        try (HikariDataSource pool = ShopProcess.pool(url, 2);
                Connection connection = pool.getConnection()) {
            Waiting waiting =
                    new Waiting(JdbcScheduleStore.builder(pool).migrate(false).build());
            assertOnce(ShopKit.query(connection, "SELECT order_id FROM shop_orders"), "store", ids, stepsDone);
            List<String> numbered = ShopKit.query(
                    connection, "SELECT order_id FROM shop_orders WHERE order_number = 1 AND status <> 'STORED'");
            assertOnce(numbered, "stamp", ids, stepsDone);
            assertThat(Tables.number(connection, "SELECT sum(last_number) FROM shop_partitions"))
                    .isEqualTo(numbered.size());
            assertOnce(ShopKit.query(connection, "SELECT order_id FROM shop_sales"), "insert", ids, stepsDone);
            assertOnce(waiting.reported(), "register", ids, stepsDone);
            assertOnce(waiting.mailed(), "mail", ids, stepsDone);
            assertOnce(waiting.approvals(), "approval", ids, stepsDone);
        }
    }

    private static void assertOnce(
            List<String> written, String step, List<String> ids, Function<String, Integer> stepsDone) {
        int index = TakeOrder.STEPS.indexOf(step);
        assertThat(written)
                .as("orders that have done step %s", step)
                .containsExactlyInAnyOrderElementsOf(
                        ids.stream().filter(id -> stepsDone.apply(id) > index).toList());
    }
}
