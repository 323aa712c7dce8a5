// One name of a store's directory, opened or made as a file without following links.
//
// What is opened is looked at through its descriptor, so nobody can put something else in its place in between: it is a
// regular file, its owner is trusted, and it has no second name where it is opened for writing. Opening never waits,
// also not for the other end of a pipe. What is made belongs to its owner alone (mode 0600), whatever the umask.
#pragma once

#include <sys/types.h>

#include <string>

#include "os/descriptor.h"
#include "os/file.h"

namespace hippocore::os {

// Whoever owns a file can cut it while it is mapped. Returns: whether `user` takes that from `owner`: from itself and
// from root; root itself opens anyone's.
[[nodiscard]] constexpr bool is_trusted_owner(uid_t owner, uid_t user) noexcept {
  return owner == user || owner == 0 || user == 0;
}

// `path` is for messages. Returns: a closed descriptor when there is no such file.
// Throws: Error{kReadOnlyStore} when it may not be written; Error{kInputOutput} when it cannot be opened or is not such
// a file as above.
[[nodiscard]] Descriptor open_entry(const Descriptor& directory, const std::string& name, Access access,
                                    const std::string& path);

// Makes a new file, open for reading and writing. Returns: a closed descriptor when the name is taken.
// Throws: Error{kStoreFull} or Error{kInputOutput}.
[[nodiscard]] Descriptor make_entry(const Descriptor& directory, const std::string& name, const std::string& path);

}  // namespace hippocore::os
