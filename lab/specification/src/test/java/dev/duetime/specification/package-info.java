/** What the engine promises, as tests, in packages by subject. */
@NullMarked
package dev.duetime.specification;

import org.jspecify.annotations.NullMarked;
