package configs

// Changed lists the dotted paths of the keys in which two configurations differ, in the order of the table.
func Changed(a, b *Config) []string {
	var paths []string
	for _, k := range keys() {
		if a.value(k.path) != b.value(k.path) {
			paths = append(paths, k.path)
		}
	}
	return paths
}
