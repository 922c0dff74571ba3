/** HTML that is escaped wherever it is written: elements, texts for people, and charts. */
@NullMarked
package dev.duetime.console.internal.html;

import org.jspecify.annotations.NullMarked;
