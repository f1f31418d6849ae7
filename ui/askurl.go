package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// addressBody shows the address that a server wants visited. Nothing is opened
// or fetched unless the person says so; that is apart from the answer
// (ELIC-20 to 28).
type addressBody struct {
	page    *askPage
	address view.AskAddress
	done    *widget.Label
	open    *widget.Button
	copy    *widget.Button
	retry   *widget.Button
	root    fyne.CanvasObject
}

// addressHeight bounds the address; the whole of it scrolls.
const addressHeight = 110

func newAddressBody(page *askPage) *addressBody {
	b := &addressBody{page: page, address: view.AskAddressOf(page.draft.Ask)}
	whole := widget.NewRichText(
		&widget.TextSegment{Text: b.address.Before, Style: addressStyle(false)},
		&widget.TextSegment{Text: b.address.Domain, Style: addressStyle(true)},
		&widget.TextSegment{Text: b.address.After, Style: addressStyle(false)},
	)
	whole.Wrapping = fyne.TextWrapBreak
	host := newFactGrid()
	host.set([]view.Fact{{Label: "Host", Value: b.address.Host}})
	box := container.NewVBox(host.box) // where it goes and what is odd about that come before a long address
	if len(b.address.Notes) > 0 {
		var lines []string
		for _, n := range b.address.Notes {
			lines = append(lines, "! "+n.Text+" ("+n.Rule+")")
		}
		notes := widget.NewLabel(strings.Join(lines, "\n"))
		notes.Wrapping, notes.Importance, notes.Selectable = fyne.TextWrapWord, widget.WarningImportance, true
		box.Add(notes)
	}
	box.Add(newClamp(whole, theme.Scaled(addressHeight)))
	b.open = widget.NewButtonWithIcon("Open in browser …", fynetheme.ComputerIcon(), func() { page.env.OpenURL(b.address.Open) })
	if b.address.Open == nil {
		b.open.Disable()
	}
	b.copy = quiet("Copy address", fynetheme.ContentCopyIcon(), func() {
		page.env.Clipboard.SetContent(page.draft.Ask.URL)
		page.env.Notify("Copied")
	})
	b.retry = quiet("Send the call again", fynetheme.ViewRefreshIcon(), func() { page.pane.retry(page.draft.Ask.Cause) })
	actions := container.NewHBox(b.open, b.copy, b.retry)
	if b.address.Why != "" {
		why := widget.NewLabel(b.address.Why)
		why.Importance = widget.WarningImportance
		box.Add(why)
	}
	says := widget.NewLabel("Accept says that you agree to go there, not that you are done. Opening the page sends no answer.")
	says.Wrapping, says.Importance = fyne.TextWrapWord, widget.LowImportance
	if page.draft.Ask.FromError {
		says.SetText("The call failed because this page has to be visited first. Visit it and send the call again; no answer is sent for the address.")
	}
	box.Add(says)
	b.done = widget.NewLabel("")
	b.done.Wrapping = fyne.TextWrapWord
	box.Add(b.done)
	b.root = widget.Border(nil, actions, nil, nil, container.NewVScroll(box))
	b.refresh()
	return b
}

func addressStyle(strong bool) widget.RichTextStyle {
	s := widget.RichTextStyleCodeInline
	s.TextStyle.Bold = strong
	s.ColorName = fynetheme.ColorNamePlaceHolder
	if strong {
		s.ColorName = fynetheme.ColorNameForeground
	}
	return s
}

func (b *addressBody) object() fyne.CanvasObject { return b.root }

func (b *addressBody) pages() []askTab { return []askTab{paramsTab(b.page)} }

// paramsTab shows the params of a question as they came.
func paramsTab(page *askPage) askTab {
	params := newTextBox("", page.env)
	params.text.SetMode(textview.Pretty)
	params.setBytes(page.draft.Ask.Params, nil)
	return askTab{title: "Params", page: params.view()}
}

func (b *addressBody) refresh() {
	st := b.page.pane.conn.State()
	text, tone := view.CompletionNote(b.page.draft.Ask, st)
	b.done.Importance = widget.LowImportance
	if tone == view.Good {
		b.done.Importance = widget.SuccessImportance
	}
	if b.done.Text != text {
		b.done.SetText(text)
	}
	c, ok := view.CallOf(st, b.page.draft.Ask.Cause)
	setHidden(b.retry, !ok || !c.Retryable)
}

// focus gives the keyboard to what asks before it opens anything.
func (b *addressBody) focus() {
	first := b.open
	if first.Disabled() {
		first = b.copy
	}
	b.page.env.Window.Canvas().Focus(first)
}

// visitPage lists the addresses that the server sent the person to.
type visitPage struct {
	pane *requestsPane
	box  *fyne.Container
	root fyne.CanvasObject
	last string
}

func newVisitPage(p *requestsPane) *visitPage {
	v := &visitPage{pane: p, box: container.NewVBox()}
	v.root = widget.Border(heading("Addresses that the server asked to be visited"), nil, nil, nil, container.NewVScroll(v.box))
	return v
}

func (v *visitPage) object() fyne.CanvasObject { return v.root }

func (v *visitPage) refresh() {
	st := v.pane.conn.State()
	list := view.VisitRows(st, v.pane.env.Now())
	stamp := ""
	for _, r := range list {
		stamp += r.Text + "\x00" + r.State + "\x00"
	}
	if stamp == v.last {
		return
	}
	v.last = stamp
	v.box.Objects = nil
	for _, r := range list {
		text := widget.NewLabel(r.Text)
		text.Truncation, text.Selectable = fyne.TextTruncateEllipsis, true
		text.TextStyle.Monospace = true
		state := caption(r.State)
		right := container.NewHBox(state)
		if c, ok := view.CallOf(st, r.Cause); ok && c.Retryable {
			right.Add(quiet("Send the call again", fynetheme.ViewRefreshIcon(), func() { v.pane.retry(r.Cause) }))
		}
		v.box.Add(widget.Border(nil, nil, newGlyph(r.Glyph, r.Tone), right, text))
	}
	v.box.Refresh()
}

// retry sends a call once more (ELIC-29) and shows it where it was made.
func (p *requestsPane) retry(call uint64) {
	p.inbox.Retry(call, func(again *session.Call, err error) { p.again("The call was not sent again", again, err) })
}

// again shows a call that was sent again, where its result will stand. It may be
// called from any goroutine.
func (p *requestsPane) again(failed string, call *session.Call, err error) {
	p.env.Do(func() {
		switch {
		case err != nil:
			p.env.Fail(failed, err)
		case p.env.TakeCall(call):
			p.env.Notify("Sent again; the result is shown here")
		default:
			p.env.Notify("Sent again; the result is in the timeline")
		}
	})
	p.env.Changed()
}
