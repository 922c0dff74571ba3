package dev.duetime.engine.operate;

/**
 * The operations that an operator can call on a node.
 *
 * @param bulk revives, cancels and purges many timers
 * @param queues pauses, resumes and shows queues
 */
public record Operations(BulkOperations bulk, QueueOperations queues) {}
