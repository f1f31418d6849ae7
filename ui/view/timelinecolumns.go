package view

import (
	"slices"

	"mcploupe/ui/settings"
)

// ColumnKey names a column of the timeline, in the settings too.
type ColumnKey string

// The columns.
const (
	ColumnNumber    ColumnKey = "number"
	ColumnTime      ColumnKey = "time"
	ColumnDirection ColumnKey = "direction"
	ColumnMethod    ColumnKey = "method"
	ColumnName      ColumnKey = "name"
	ColumnChannel   ColumnKey = "channel"
	ColumnID        ColumnKey = "id"
	ColumnStatus    ColumnKey = "status"
	ColumnTook      ColumnKey = "took"
	ColumnWaited    ColumnKey = "waited"
	ColumnEvents    ColumnKey = "events"
	ColumnSize      ColumnKey = "size"
	ColumnMark      ColumnKey = "mark"
	ColumnWaterfall ColumnKey = "waterfall"
)

// Column is one column of the timeline.
type Column struct {
	Key   ColumnKey
	Title string // "" for one that needs none
	Word  string // what it is called where it is chosen
	Width float32
	Min   float32
	Flex  bool // takes the room that the others leave
	Right bool // its texts end at the same place
	Shown bool
	Sorts bool
}

// The columns of either mode, with the widths of a new installation.
var (
	eventColumns = []Column{
		{Key: ColumnNumber, Title: "#", Word: "Number", Width: NumberWidth, Right: true, Shown: true},
		{Key: ColumnTime, Title: "Time", Word: "Time", Width: 68, Right: true, Shown: true},
		{Key: ColumnDirection, Word: "Direction", Width: 28, Shown: true},
		{Key: ColumnMethod, Title: "Event", Word: "Method or event", Min: 108, Flex: true, Shown: true},
		{Key: ColumnName, Title: "Name", Word: "Name, beside the method", Width: 140},
		{Key: ColumnChannel, Title: "Channel", Word: "Channel", Width: 70},
		{Key: ColumnID, Title: "Id", Word: "Id", Width: 52, Shown: true},
		{Key: ColumnStatus, Title: "Status", Word: "Status", Width: 94, Shown: true},
		{Key: ColumnTook, Title: "Took", Word: "Duration", Width: 62, Right: true, Shown: true},
		{Key: ColumnSize, Title: "Size", Word: "Size", Width: 68, Right: true, Shown: true},
		{Key: ColumnMark, Title: "Mark", Word: "Mark and note, once there are any", Width: 42, Shown: true},
	}
	exchangeColumns = []Column{
		{Key: ColumnNumber, Title: "#", Word: "Number", Width: NumberWidth, Right: true, Shown: true},
		{Key: ColumnTime, Title: "Time", Word: "Time", Width: 68, Right: true, Shown: true},
		{Key: ColumnDirection, Word: "Direction", Width: 28, Shown: true},
		{Key: ColumnMethod, Title: "Exchange", Word: "Method", Min: 108, Flex: true, Shown: true},
		{Key: ColumnName, Title: "Name", Word: "Name, beside the method", Width: 140},
		{Key: ColumnChannel, Title: "Channel", Word: "Channel", Width: 70},
		{Key: ColumnID, Title: "Id", Word: "Id", Width: 52, Shown: true},
		{Key: ColumnStatus, Title: "State", Word: "State", Width: 94, Shown: true},
		{Key: ColumnTook, Title: "Work", Word: "Duration of the work", Width: 62, Right: true, Shown: true},
		{Key: ColumnWaited, Title: "Waited", Word: "Time that the person took", Width: 58, Right: true, Shown: true},
		{Key: ColumnEvents, Title: "Events", Word: "Number of events", Width: 52, Right: true},
		{Key: ColumnSize, Title: "Size", Word: "Size", Width: 68, Right: true, Shown: true},
		{Key: ColumnMark, Title: "Mark", Word: "Mark and note, once there are any", Width: 42, Shown: true},
		{Key: ColumnWaterfall, Title: "", Word: "Waterfall", Width: 180},
	}
)

// NumberWidth has room for four digits.
const NumberWidth = 48

// maxColumnWidth bounds what settings may ask for.
const maxColumnWidth = 900

// String is the mode's name in the settings.
func (m Mode) String() string {
	if m == Exchanges {
		return "exchanges"
	}
	return "events"
}

// Columns are all columns of a mode, as they are kept in the settings.
func Columns(m Mode, kept map[string][]settings.Column) []Column {
	of := eventColumns
	if m == Exchanges {
		of = exchangeColumns
	}
	out := append([]Column(nil), of...)
	for i := range out {
		c := &out[i]
		_, c.Sorts = sortKeys[c.Key]
		for _, k := range kept[m.String()] {
			if k.Key != string(c.Key) {
				continue
			}
			c.Shown = !k.Hidden || c.Flex
			if k.Width > 0 && !c.Flex {
				c.Width = min(k.Width, maxColumnWidth)
			}
		}
	}
	return out
}

// givesWay are the columns that are left out where there is no room for all, the
// first first: what they say is in the details of an event too.
var givesWay = []ColumnKey{ColumnSize, ColumnEvents, ColumnChannel, ColumnID, ColumnTook, ColumnWaited}

// Fitting are those of some columns that a width has room for, and those that
// give way. The flexible one takes its least width.
func Fitting(columns []Column, width float32) (fit []Column, without []ColumnKey) {
	fit = slices.Clone(columns)
	need := float32(0)
	for _, c := range fit {
		need += c.takes()
	}
	for _, key := range givesWay {
		i := slices.IndexFunc(fit, func(c Column) bool { return c.Key == key })
		if need > width && i >= 0 {
			need -= fit[i].takes()
			fit = slices.Delete(fit, i, i+1)
			without = append(without, key)
		}
	}
	return fit, without
}

func (c Column) takes() float32 {
	if c.Flex {
		return c.Min
	}
	return c.Width
}

// KeepColumns puts the columns of a mode into the settings.
func KeepColumns(m Mode, columns []Column, into *settings.Timeline) {
	var kept []settings.Column
	for _, c := range columns {
		kept = append(kept, settings.Column{Key: string(c.Key), Width: c.Width, Hidden: !c.Shown})
	}
	if into.Columns == nil {
		into.Columns = map[string][]settings.Column{}
	}
	into.Columns[m.String()] = kept
}
