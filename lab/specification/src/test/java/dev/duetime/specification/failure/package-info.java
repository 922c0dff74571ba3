/** What happens when a delivery fails. */
@NullMarked
package dev.duetime.specification.failure;

import org.jspecify.annotations.NullMarked;
