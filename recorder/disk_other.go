//go:build !unix

package recorder

// isReadOnlyDisk reports whether a file could not be opened for writing
// because of the disk it is on; here that is a lack of permission.
func isReadOnlyDisk(error) bool { return false }
