package dev.duetime.engine.operate;

/**
 * The operations that an operator can call on a node.
 *
 * @param bulk operations on many timers: revive, deliver now, reschedule, cancel and purge
 * @param queues operations on queues: pause, resume and show
 */
public record Operations(BulkOperations bulk, QueueOperations queues) {}
