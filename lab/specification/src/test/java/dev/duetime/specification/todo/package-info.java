/** Todo queues. */
@NullMarked
package dev.duetime.specification.todo;

import org.jspecify.annotations.NullMarked;
