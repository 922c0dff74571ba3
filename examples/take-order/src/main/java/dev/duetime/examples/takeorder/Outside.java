package dev.duetime.examples.takeorder;

import java.io.IOException;
import java.util.List;

/** The services that do not share the shop's database. They are called at least once. Thread-safe. */
interface Outside {

    /**
     * Pays an order.
     *
     * @param orderId by which the service knows a repeat, and charges once
     * @return the receipt
     * @throws IOException if the service cannot be reached, or its answer was lost
     */
    String pay(String orderId, long cents) throws IOException;

    /** Sends one mail about some orders. */
    void mail(String customer, List<String> orderIds);

    /** Sends one report about some orders. */
    void report(String vendor, List<String> orderIds);
}
