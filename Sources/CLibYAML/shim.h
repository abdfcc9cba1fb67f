// libyaml 0.2, as the system ships it; only the module YAMLTree imports this.
#include <yaml.h>
