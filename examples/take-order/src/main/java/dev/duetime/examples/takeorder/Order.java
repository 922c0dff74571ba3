package dev.duetime.examples.takeorder;

/**
 * Is what an order's todo carries from step to step.
 *
 * @param id the customer's, so that an order that is sent twice is taken once
 * @param customer who ordered
 * @param vendor who sells
 * @param cents the price
 * @param partition the part of the shop that keeps it, from 1; 0 until it is assigned
 * @param receipt of the payment; empty until it is paid
 */
record Order(String id, String customer, String vendor, long cents, int partition, String receipt) {

    static Order of(String id, String customer, String vendor, long cents) {
        return new Order(id, customer, vendor, cents, 0, "");
    }

    Order in(int assigned) {
        return new Order(id, customer, vendor, cents, assigned, receipt);
    }

    Order paid(String by) {
        return new Order(id, customer, vendor, cents, partition, by);
    }
}
