/** Takes orders step by step by todo queues, and puts mails, likes and reports together by merging. */
@NullMarked
package dev.duetime.examples.takeorder;

import org.jspecify.annotations.NullMarked;
