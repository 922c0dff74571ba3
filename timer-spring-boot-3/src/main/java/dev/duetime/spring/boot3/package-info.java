/** Health on Spring Boot 3.5, whose classes for health have other names than those of Spring Boot 4. */
@NullMarked
package dev.duetime.spring.boot3;

import org.jspecify.annotations.NullMarked;
