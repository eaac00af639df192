// Package child runs other programs as children of this process. On Linux, they end when it does,
// however it ends.
package child

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Process is a program that was started. It has a process group of its own, so that the
// terminal's Ctrl-C reaches only the parent.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start starts a program, which gets the signal if this process dies. Other attributes of the
// command are kept. A program that ends takes its own children along.
func Start(cmd *exec.Cmd, death syscall.Signal) (*Process, error) {
	return StartWithin(cmd, death, func(start func() error) error { return start() })
}

// StartWithin is Start by a function that prepares the thread, for example in another namespace.
func StartWithin(cmd *exec.Cmd, death syscall.Signal, within func(start func() error) error) (*Process, error) {
	p := &Process{cmd: cmd, done: make(chan struct{})}
	attributes := Attributes(death)
	if cmd.SysProcAttr != nil {
		attributes.Credential = cmd.SysProcAttr.Credential
	}
	cmd.SysProcAttr = attributes
	started := make(chan error)
	go p.run(within, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// run starts the program from a thread that stays until it has ended: Linux sends a child its
// parent's death signal when the thread that made it ends.
func (p *Process) run(within func(start func() error) error, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := within(p.cmd.Start)
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	p.signal(syscall.SIGKILL) // whatever it left behind
	close(p.done)
}

// Pid is the program's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how the program ended, and nil after success. Call it after Done is closed.
func (p *Process) Err() error { return p.err }

// State describes the program that ended. Call it after Done is closed.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// Memory is the most memory that the program used, in bytes. Call it after Done is closed.
func (p *Process) Memory() int64 {
	if usage, ok := p.State().SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss * maxrssUnit
	}
	return 0
}

// KilledBy returns the signal that ended the program, and false if it ended by itself. Call it
// after Done is closed.
func (p *Process) KilledBy() (syscall.Signal, bool) {
	status, ok := p.State().Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, false
	}
	return status.Signal(), true
}

// Signal sends a signal to the program and its children, unless it has ended.
func (p *Process) Signal(s syscall.Signal) {
	select {
	case <-p.done: // the PID may be another's by now
	default:
		p.signal(s)
	}
}

// signal reaches the whole process group of the program.
func (p *Process) signal(s syscall.Signal) {
	_ = syscall.Kill(-p.Pid(), s) // fails only if the process is gone
}

// Stop sends the program a signal, waits until it has ended, and kills it if that takes too
// long. It reports whether it had to.
func (p *Process) Stop(s syscall.Signal, grace time.Duration) (killed bool) {
	p.Signal(s)
	select {
	case <-p.done:
		return false
	case <-time.After(grace):
	}
	p.Signal(syscall.SIGKILL)
	<-p.done
	return true
}

// Wait waits until the program ends by itself, and returns how. If ctx ends first, it stops the
// program and returns the error of ctx.
func (p *Process) Wait(ctx context.Context, stop syscall.Signal, grace time.Duration) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.Stop(stop, grace)
		return ctx.Err()
	}
}

// niceness is how much lower than that of others the priority of a process is that yields. Where all
// processors are busy, it gets about a tenth of what another one gets.
const niceness = 10

// Yield lets others go before the program: they get more of the processors, and Linux ends it
// first when memory runs out.
func (p *Process) Yield() error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, p.Pid(), niceness); err != nil {
		return fmt.Errorf("lower the priority of a program: %w", err)
	}
	return endFirst(p.Pid())
}
