/** Takes orders step by step with todo queues, and merges the todos of mails, likes and reports. */
@NullMarked
package dev.duetime.examples.takeorder;

import org.jspecify.annotations.NullMarked;
