// libyaml, as it is: Swift can call all that is needed of it.
#include <yaml.h>
