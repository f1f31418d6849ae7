//go:build !unix

package recorder

import "os"

// isReadOnlyDisk reports whether a file could not be opened for writing
// because of the disk it is on; here that is a lack of permission.
func isReadOnlyDisk(error) bool { return false }

// unlinked reports whether an open file has no name any more; here files that are
// open are not removed.
func unlinked(*os.File) bool { return false }

// pathOf is the name that an open file has now; here files that are open keep
// theirs.
func pathOf(*os.File) string { return "" }
