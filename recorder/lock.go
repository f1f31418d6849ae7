package recorder

import "os"

// LockFile marks a file as being written by this process, for as long as it is
// open, and reports whether somebody else has marked it already. Where the disk
// has no such marks nobody is taken to have.
func LockFile(f *os.File) (taken bool) { return lockFile(f) }
