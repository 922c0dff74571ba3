/** When and how a timer is delivered. */
@NullMarked
package dev.duetime.specification.delivery;

import org.jspecify.annotations.NullMarked;
