/// Stands in until the module has sources.
enum Placeholder {}
