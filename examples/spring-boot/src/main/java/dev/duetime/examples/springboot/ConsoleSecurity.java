package dev.duetime.examples.springboot;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/** Who may see what: the console asks for a password, the orders do not. */
@Configuration(proxyBeanMethods = false)
class ConsoleSecurity {

    @Bean
    @Order(1)
    SecurityFilterChain securityOfConsole(HttpSecurity http) throws Exception {
        return http.securityMatcher(PathPatternRequestMatcher.withDefaults().matcher("/duetime/**"))
                .authorizeHttpRequests(all -> all.anyRequest().hasAnyRole("DUETIME_READER", "DUETIME_OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable()) // the console has tokens of its own
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain securityOfOrders(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                .csrf(csrf -> csrf.disable())
                .build();
    }
}
