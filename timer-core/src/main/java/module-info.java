/** Durable timers: the API, the store port and the engine. Knows no JDBC and no broker. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer's jar has a name but no descriptor.
module dev.duetime.core {
    requires static com.cronutils;
    requires transitive org.jspecify;
    requires static transitive micrometer.core;
    requires java.management;
    requires org.slf4j;
    requires transitive tools.jackson.databind;

    exports dev.duetime;
    exports dev.duetime.metrics;
    exports dev.duetime.passage;
    exports dev.duetime.store;
    exports dev.duetime.store.hosts;
    exports dev.duetime.todo;
}
