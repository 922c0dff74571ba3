/** The operator's view: queries, repairs, pauses and health. */
@NullMarked
package dev.duetime.admin;

import org.jspecify.annotations.NullMarked;
