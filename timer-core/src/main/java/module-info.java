/** Durable timers: the API, the store port and the engine. Knows no JDBC and no broker. */
module dev.duetime.core {
    requires transitive org.jspecify;
    requires java.management;
    requires org.slf4j;
    requires transitive tools.jackson.databind;

    exports dev.duetime;
    exports dev.duetime.store;
}
