package link

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// How a server is asked to end and then ended, for the recording.
const (
	stopWord = "CTRL+BREAK"
	killWord = "ending its job"
)

// locate finds the file of a command; see winLook.
func locate(command, dir string, env []string) (string, error) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", command, err)
	}
	return winLook{env: env, isDir: func(path string) (bool, error) {
		info, err := os.Stat(path)
		return err == nil && info.IsDir(), err
	}}.find(command, base)
}

// group is the job that a server and all that it starts are in. It ends with
// this program, however that ends.
type group struct {
	job windows.Handle
	pid uint32
}

// prepare makes the job, before the process is started. The process starts
// suspended, so that it can start nothing before it is in the job.
func prepare(cmd *exec.Cmd) (*group, error) {
	attr := &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED | windows.CREATE_DEFAULT_ERROR_MODE,
		HideWindow:    true,
	}
	if winBatch(cmd.Path) {
		// The system would have cmd.exe run it with quotes that cmd.exe
		// understands in another way.
		system, err := windows.GetSystemDirectory()
		if err != nil {
			return nil, fmt.Errorf("finding cmd.exe: %w", err)
		}
		shell := system + `\cmd.exe`
		if attr.CmdLine, err = batchLine(shell, cmd.Path, cmd.Args[1:]); err != nil {
			return nil, err
		}
		cmd.Path = shell
	}
	cmd.SysProcAttr = attr
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("making a job for the server: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return nil, errors.Join(fmt.Errorf("binding the server's life to ours: %w", err), windows.CloseHandle(job))
	}
	return &group{job: job}, nil
}

// took puts the process into the job and lets it run.
func (g *group) took(p *os.Process) error {
	g.pid = uint32(p.Pid)
	var assigned error
	err := p.WithHandle(func(handle uintptr) { assigned = windows.AssignProcessToJobObject(g.job, windows.Handle(handle)) })
	if err = errors.Join(err, assigned); err != nil {
		return fmt.Errorf("putting the server into a job: %w", err)
	}
	if err := resume(g.pid); err != nil {
		return fmt.Errorf("letting the server run: %w", err)
	}
	return nil
}

// resume starts the threads of a process that was started suspended: there is
// one.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(all) }() // it was only read
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	resumed := false
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		if err = errors.Join(err, windows.CloseHandle(thread)); err != nil {
			return err
		}
		resumed = true
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return err
	}
	if !resumed {
		return errors.New("it has no thread")
	}
	return nil
}

// stop sends CTRL+BREAK, which reaches a server that shares our console. One
// that has a console of its own, because we have none, is ended by kill.
func (g *group) stop() error {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.pid)
	return nil
}

// kill ends every process of the job.
func (g *group) kill() error {
	if err := windows.TerminateJobObject(g.job, 1); err != nil {
		return fmt.Errorf("ending the server's job: %w", err)
	}
	return nil
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	TotalUserTime, TotalKernelTime, ThisPeriodTotalUserTime, ThisPeriodTotalKernelTime int64

	TotalPageFaultCount, TotalProcesses, ActiveProcesses, TotalTerminatedProcesses uint32
}

// alive reports whether any process of the job still runs.
func (g *group) alive() bool {
	var a accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.ActiveProcesses > 0
}

// close lets the job go, and with it whatever is left in it.
func (g *group) close() { _ = windows.CloseHandle(g.job) }

// exitSignal is for systems that have signals.
func exitSignal(*os.ProcessState) string { return "" }
