/** What an operator sees and does. */
@NullMarked
package dev.duetime.admin;

import org.jspecify.annotations.NullMarked;
