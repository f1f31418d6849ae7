package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// replayStep shows the message that is sent next, to be edited, sent or left
// out.
type replayStep struct {
	page   *replayPage
	root   fyne.CanvasObject
	title  *widget.Label
	wrong  *widget.Label
	editor *textview.Editor
	waits  bool
	number int // of the message in the editor, 0 for none
}

func newReplayStep(p *replayPage) *replayStep {
	s := &replayStep{page: p}
	s.title = widget.NewLabel("")
	s.title.Truncation = fyne.TextTruncateEllipsis
	s.wrong = widget.NewLabel("")
	s.wrong.Wrapping, s.wrong.Importance = fyne.TextWrapWord, widget.DangerImportance
	s.wrong.Hide()
	s.editor = textview.NewEditor()
	s.editor.Run = p.env.run
	s.editor.SetPlaceholder("The connection finds its own words for this message")
	s.editor.OnChanged = func() { say(s.wrong, "") }
	send := widget.NewButtonWithIcon("Send", fynetheme.MailSendIcon(), func() { s.send(p.model.Send) })
	send.Importance = widget.HighImportance
	skip := widget.NewButtonWithIcon("Skip", fynetheme.MediaSkipNextIcon(), func() {
		p.model.Skip()
		p.flush()
	})
	on := widget.NewButton("Send and go on", func() { s.send(p.model.Resume) })
	finder := textview.NewFindBar(&s.editor.View)
	s.root = widget.Border(container.NewVBox(widget.Border(nil, nil, nil, container.NewHBox(skip, on, send), s.title), s.wrong), nil, nil, nil, finder.Object())
	return s
}

// take shows the message that waits; fresh says that it is another one.
func (s *replayStep) take(st view.ReplayState) (fresh bool) {
	s.waits = st.Step != nil
	if !s.waits {
		if !st.Phase.Busy() {
			s.number = 0
		}
		return false
	}
	if st.Step.Number == s.number {
		return false
	}
	s.number = st.Step.Number
	setText(s.title, "As it will be sent: "+st.Step.Title)
	say(s.wrong, "")
	s.editor.SetReadOnly(!st.Step.Editable)
	s.editor.SetText(st.Step.Text)
	return true
}

// send sends what is in the editor in one of the ways of the model.
func (s *replayStep) send(how func(text string) error) {
	if err := how(s.editor.Text()); err != nil {
		say(s.wrong, "Not sent: "+err.Error()+".")
		return
	}
	s.page.flush()
}
