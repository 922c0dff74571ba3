/** What operators ask for, housekeeping and samples. */
@NullMarked
package dev.duetime.engine.operate;

import org.jspecify.annotations.NullMarked;
