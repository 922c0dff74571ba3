/** What operators see and do: admin, health, purge, metrics, logs. */
@NullMarked
package dev.duetime.specification.operate;

import org.jspecify.annotations.NullMarked;
