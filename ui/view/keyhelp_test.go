package view

import "testing"

func TestKeyPageIsSearched(t *testing.T) {
	var p KeyPage
	p.Set([]KeyLine{{"File menu", "Ctrl+N", "Connect"}, {"File menu", "Ctrl+O", "Open recording"}, {"Timeline", "N", "Take a note"}})
	if p.Len() != 3 || p.Total() != 3 || p.At(0).Where != "File menu" || p.At(1).Where != "" || p.At(2).Where != "Timeline" {
		t.Errorf("%d lines, %+v %+v %+v", p.Len(), p.At(0), p.At(1), p.At(2))
	}
	for query, want := range map[string]string{"ctrl+o": "Ctrl+O", "RECORDING file": "Ctrl+O", "note": "N"} {
		if p.SetQuery(query); p.Len() != 1 || p.At(0).Keys != want || p.At(0).Where == "" {
			t.Errorf("%q finds %d lines", query, p.Len())
		}
	}
}
