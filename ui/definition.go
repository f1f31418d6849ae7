package ui

import (
	"context"

	"mcploupe/protocol"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// findIn looks for what there is to say about the definition that is shown, once
// it is looked at: in the background, for that reads its schemas.
func (p *requestPanel) findIn() {
	s := p.now
	if s.searched || s.method != protocol.MethodToolsCall {
		return
	}
	s.searched = true
	revision := p.conn.State().Revision
	p.env.Go(func(context.Context) {
		found := view.ToolFindings(s.definition, revision)
		p.env.Do(func() {
			s.findings = found
			if p.now == s && len(found) > 0 {
				p.def.setBytes(s.definition, found)
				p.tellFindings()
			}
		})
	})
}

// tellFindings says above the definition what is marked in it.
func (p *requestPanel) tellFindings() {
	text, tone := view.FindingsNote(p.now.findings)
	p.odd.Importance = widget.LowImportance
	if tone == view.Caution {
		p.odd.Importance = widget.WarningImportance
	}
	say(p.odd, text)
	p.odd.Show()
	setHidden(p.oddAt, text == "")
	p.defPage.Refresh()
}
