package dev.duetime.examples.takeorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what is merged: mails of ten minutes, likes of a minute, reports of an hour. In virtual time. */
class MergesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ShopKit kit = ShopKit.forHours();

    MergesTest() throws SQLException {}

    @AfterEach
    void close() {
        kit.close();
    }

    private void take(String id, String customer, String vendor) {
        kit.shop.orders.take(Order.of(id, customer, vendor, 999));
        kit.kit.runDue();
    }

    @Test
    void aCustomerGetsOneMailAboutAllOrdersOfTenMinutes() {
        take("a", "anna", "v");
        take("b", "ben", "v");
        kit.kit.advance(MINUTE.multipliedBy(9));
        take("c", "anna", "v");
        assertThat(kit.outside.mails).isEmpty();
        kit.kit.advance(MINUTE);
        assertThat(kit.outside.mails).containsExactlyInAnyOrder("anna[a, c]", "ben[b]");

        take("d", "anna", "v");
        kit.kit.advance(MINUTE.multipliedBy(10));
        assertThat(kit.outside.mails).last().isEqualTo("anna[d]");
    }

    @Test
    void aMailAboutTenOrdersIsSentAtOnce() {
        List<String> ids = IntStream.range(0, 10).mapToObj(i -> "o-" + i).toList();
        ids.forEach(id -> take(id, "anna", "v"));

        assertThat(kit.outside.mails).containsExactly("anna" + ids);
    }

    @Test
    void likesAreAddedUpAndWrittenOnceAMinute() throws SQLException {
        for (int i = 0; i < 100; i++) {
            kit.shop.likes.like(i % 4 == 0 ? "post-2" : "post-1");
            kit.kit.advance(SECOND);
            if (i == 58) {
                assertThat(kit.query("SELECT post FROM shop_likes")).isEmpty();
            }
        }
        assertThat(kit.query("SELECT post, likes FROM shop_likes")).containsExactlyInAnyOrder("post-1 45", "post-2 15");
        kit.kit.advance(MINUTE);

        assertThat(kit.query("SELECT post, likes FROM shop_likes")).containsExactlyInAnyOrder("post-1 75", "post-2 25");
    }

    @Test
    void aVendorGetsOneReportForAllRequestsOfAnHour() {
        take("a", "anna", "v");
        kit.kit.advance(MINUTE.multipliedBy(30));
        take("b", "ben", "v");
        take("c", "ben", "w");
        kit.kit.advance(MINUTE.multipliedBy(30).minus(SECOND));
        assertThat(kit.outside.reports).isEmpty();
        kit.kit.advance(SECOND);
        assertThat(kit.outside.reports).containsExactly("v[a, b]");

        kit.kit.advance(MINUTE.multipliedBy(30));
        assertThat(kit.outside.reports).containsExactly("v[a, b]", "w[c]");
    }
}
