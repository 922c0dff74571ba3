/** Several databases behind one scheduler. */
@NullMarked
package dev.duetime.specification.hosts;

import org.jspecify.annotations.NullMarked;
