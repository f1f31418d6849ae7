package recorder

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// followEvery is how often a file that another process writes is looked at.
const followEvery = 200 * time.Millisecond

// follower takes in what another process adds to the file.
type follower struct {
	quit chan struct{}
	done sync.WaitGroup
}

func (l *Log) follow(f *os.File, x *indexer, end int64) {
	l.follower = &follower{quit: make(chan struct{})}
	l.follower.done.Go(func() {
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		for {
			select {
			case <-l.follower.quit:
				return
			case <-tick.C:
			}
			next, err := l.takeIn(f, x, end)
			if err != nil {
				l.store.fail(fmt.Errorf("follow recording %s: %w", l.Path(), err))
				return
			}
			if next > end {
				end = next
				l.watchers.wake()
			}
		}
	})
}

// takeIn indexes the whole lines after end and returns where they end.
func (l *Log) takeIn(f *os.File, x *indexer, end int64) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return end, err
	}
	if info.Size() < end {
		return end, fmt.Errorf("the file became shorter")
	}
	if info.Size() == end {
		return end, nil
	}
	before := l.index.len()
	// The end moves first: an entry must never lie behind it.
	l.store.setEnd(info.Size())
	next, err := x.index(context.Background(), f, end, info.Size(), nil)
	if err != nil {
		return end, err
	}
	x.linkFrom(before + 1)
	l.loadMarks(x.takeMarks())
	return next, nil
}

func (f *follower) stop() {
	close(f.quit)
	f.done.Wait()
}
