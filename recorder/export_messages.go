package recorder

import (
	"bytes"
	"context"
	"fmt"
)

// messages writes the bytes of the selected messages, one a line.
func (x *Exporter) messages(ctx context.Context) error {
	for i := range x.Len() {
		seq := x.At(i)
		h := x.Log.Head(seq)
		if h.Kind != KindMessage {
			x.LoseEvent(h)
		} else {
			e, err := x.Read(seq)
			if err != nil {
				return err
			}
			data := e.Data
			if bytes.ContainsAny(data, "\r\n") { // between tokens: in strings JSON has them escaped
				breaks := 0
				for i, c := range data {
					if c == '\n' || c == '\r' {
						data[i], breaks = ' ', breaks+1
					}
				}
				x.Lose("line break inside of a message", "line breaks inside of messages", breaks)
			}
			if _, err := x.Write(append(data, '\n')); err != nil {
				return fmt.Errorf("export: %w", err)
			}
			x.Wrote(h.Kind)
		}
		if err := x.Did(ctx, i); err != nil {
			return err
		}
	}
	x.Lose("direction and time of a message", "directions and times of messages", x.report.Messages)
	return nil
}
