package dev.duetime.examples.orders;

/** Plays the process without a database: a whole day takes some milliseconds. */
class OrdersDayTest extends OrdersDay {
    OrdersDayTest() {
        super(Shop.inMemory());
    }
}
