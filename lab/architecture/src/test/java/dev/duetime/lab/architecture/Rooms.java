package dev.duetime.lab.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rooms of the architecture page, from top to bottom. A room is a package, or some named types of it. A row of the
 * page begins with the package; types in the first column make the row the room of these types alone.
 */
record Rooms(List<Room> rooms) {
    private static final Pattern ROW = Pattern.compile("^\\| `(dev\\.duetime[\\w.]*)`([^|]*)\\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    /**
     * A row of the page; with no types, the rest of its package. A package that ends with two dots has all below it.
     */
    record Room(String name, Set<String> types) {

        boolean holds(String packageName, String topLevelType) {
            return isIn(packageName) && (types.isEmpty() || types.contains(topLevelType));
        }

        private boolean isIn(String packageName) {
            return name.endsWith("..")
                    ? (packageName + ".").startsWith(name.substring(0, name.length() - 1))
                    : packageName.equals(name);
        }
    }

    static Rooms of(String page) {
        List<Room> rooms = new ArrayList<>();
        Matcher rows = ROW.matcher(page);
        while (rows.find()) {
            Set<String> types = NAME.matcher(rows.group(2))
                    .results()
                    .map(each -> each.group(1))
                    .collect(Collectors.toSet());
            rooms.add(new Room(rows.group(1), types));
        }
        return new Rooms(List.copyOf(rooms));
    }

    /**
     * Returns how far below the top the room of a type is; rows that name types come before the rest of their package.
     */
    Optional<Integer> level(String packageName, String topLevelType) {
        Optional<Integer> named = level(packageName, topLevelType, true);
        return named.isPresent() ? named : level(packageName, topLevelType, false);
    }

    private Optional<Integer> level(String packageName, String topLevelType, boolean named) {
        for (int i = 0; i < rooms.size(); i++) {
            Room room = rooms.get(i);
            if (room.types().isEmpty() != named && room.holds(packageName, topLevelType)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}
