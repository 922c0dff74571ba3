package dev.duetime.examples.takeorder;

/**
 * The payload of an order's todo.
 *
 * @param id the customer's id of the order, so an order that is sent twice is taken once
 * @param customer who ordered
 * @param vendor who sells
 * @param cents the price
 * @param partition the part of the shop that keeps the order, from 1; 0 until it is assigned
 * @param receipt the receipt of the payment; empty until the order is paid
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
