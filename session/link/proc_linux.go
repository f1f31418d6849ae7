package link

import "syscall"

// endWithParent makes the kernel stop the child when this program is killed.
// The signal is bound to the thread that forks, which must stay until the
// child has ended.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
