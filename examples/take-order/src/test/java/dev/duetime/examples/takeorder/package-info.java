/** Takes orders in virtual time, and by processes that are killed. */
@NullMarked
package dev.duetime.examples.takeorder;

import org.jspecify.annotations.NullMarked;
