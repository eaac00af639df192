package planning

import "syscall"

// niceness is how far behind others a thread stands, of 19.
const niceness = 10

// yieldThread lets the system prefer all other threads to this one, for good.
func yieldThread() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), niceness) }
