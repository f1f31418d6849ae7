// Package timeline has the widgets of the timeline that know no page: the strip over the whole time of a recording. Like
// all widgets they are for the drawing goroutine.
package timeline
