package dev.duetime.engine.limits;

import java.util.Map;

/**
 * Permits of a rate for each tenant. Immutable.
 *
 * @param unknown how many each tenant has that the map does not name
 * @param byTenant how many the others have
 */
record TenantPermits(double unknown, Map<String, Double> byTenant) {
    static final TenantPermits NONE = of(0);

    /** Returns as many permits for each tenant. */
    static TenantPermits of(double each) {
        return new TenantPermits(each, Map.of());
    }

    double of(String tenant) {
        return byTenant.getOrDefault(tenant, unknown);
    }
}
