/** Durable timers: the API, the store port and the engine. Knows no JDBC and no broker. */
// Micrometer's jar has a name but no descriptor; our other modules are not there yet when this one is compiled.
@SuppressWarnings({"requires-transitive-automatic", "module"})
module dev.duetime.core {
    requires static com.cronutils;
    requires transitive org.jspecify;
    requires static transitive micrometer.core;
    requires java.management;
    requires static net.sf.biweekly;
    requires org.slf4j;
    requires transitive tools.jackson.databind;

    exports dev.duetime;
    exports dev.duetime.admin;
    exports dev.duetime.command;
    exports dev.duetime.handlers;
    exports dev.duetime.hosts;
    exports dev.duetime.listener;
    exports dev.duetime.metrics;
    exports dev.duetime.passage;
    exports dev.duetime.recurrence;
    exports dev.duetime.store;
    exports dev.duetime.todo;
    exports dev.duetime.todolist;
    exports dev.duetime.internal to
            dev.duetime.console,
            dev.duetime.jdbc,
            dev.duetime.spring,
            dev.duetime.testkit;
    exports dev.duetime.internal.inside to
            dev.duetime.testkit;
    exports dev.duetime.internal.timer to
            dev.duetime.jdbc,
            dev.duetime.testkit;
}
