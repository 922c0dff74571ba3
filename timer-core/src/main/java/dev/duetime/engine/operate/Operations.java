package dev.duetime.engine.operate;

/**
 * Holds what an operator can do on a node.
 *
 * @param bulk revives, cancels and purges many timers
 * @param queues pauses, resumes and shows queues
 */
public record Operations(BulkOperations bulk, QueueOperations queues) {}
