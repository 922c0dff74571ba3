package dev.duetime.examples.orders;

/** The process without a database. A whole day takes some milliseconds. */
class OrdersDayTest extends OrdersDay {
    OrdersDayTest() {
        super(Shop.inMemory());
    }
}
