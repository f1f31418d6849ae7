package view

import (
	"slices"
	"strings"

	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// talkRow is a row of a conversation, or one of the two halves of a pair that
// moved.
type talkRow struct {
	row   int32 // in Conversation.Rows
	half  PairKind
	other int32 // -1
}

// AlignTalk aligns two conversations. Source counts Conversation.Rows.
func AlignTalk(c *Comparison) *Alignment {
	talk := c.Result.Conversation
	var all []talkRow
	away := map[diff.Lane][]int{} // rows that moved, to be shown where A has them
	for i, r := range talk.Rows {
		if r.Moved {
			away[r.Lane] = append(away[r.Lane], i)
		}
	}
	for _, rows := range away {
		slices.SortFunc(rows, func(x, y int) int { return int(talk.Rows[x].SeqA) - int(talk.Rows[y].SeqA) })
	}
	half := map[int]int{} // row that shows the half of A
	leave := func(lane diff.Lane, before uint64) {
		rows := away[lane]
		for len(rows) > 0 && talk.Rows[rows[0]].SeqA < before {
			half[rows[0]] = len(all)
			all = append(all, talkRow{int32(rows[0]), PairMovedA, -1})
			rows = rows[1:]
		}
		away[lane] = rows
	}
	kinds := map[diff.RowKind]PairKind{diff.Same: PairSame, diff.Different: PairChanged, diff.OnlyA: PairOnlyA, diff.OnlyB: PairOnlyB, diff.NotCompared: PairUnread}
	source := make(map[int]int, len(talk.Rows))
	for i, r := range talk.Rows {
		if r.Moved {
			source[i] = len(all)
			all = append(all, talkRow{int32(i), PairMovedB, -1})
			continue
		}
		if r.SeqA > 0 {
			leave(r.Lane, r.SeqA)
		}
		source[i] = len(all)
		all = append(all, talkRow{int32(i), kinds[r.Kind], -1})
	}
	for lane := diff.Exchanges; lane <= diff.NoticeLane; lane++ {
		leave(lane, ^uint64(0))
	}
	for i, x := range all {
		if x.half != PairMovedB {
			continue
		}
		j, ok := half[int(x.row)]
		if !ok {
			continue
		}
		all[i].other, all[j].other = int32(j), int32(i)
	}
	a := newAlignment(len(all), func(i int) PairRow { return talkPair(talk, all[i]) }, func(i int) bool {
		return all[i].half == PairSame && len(talk.Rows[all[i].row].Differences) == 0
	})
	a.source = source
	return a
}

func talkPair(talk *diff.Conversation, x talkRow) PairRow {
	r := talk.Rows[x.row]
	p := PairRow{Kind: x.half, Source: int(x.row), Other: int(x.other), Word: x.half.Word()}
	p.Dir = "→"
	if r.Dir != 0 && r.Dir.String() == "in" {
		p.Dir, p.Indent = "←", true
	}
	// What tells one from the other comes first: what does not fit is cut.
	title, note := line(rowTitle(r), 160), ""
	if r.Name != "" {
		title, note = line(r.Name, 120), line(r.Method, 60)+"  "
	}
	if p.Kind.HasA() && r.SeqA > 0 {
		p.A, p.NoteA = title, note+human.Count(r.SeqA)
	}
	if p.Kind.HasB() && r.SeqB > 0 {
		p.B, p.NoteB = title, note+human.Count(r.SeqB)
	}
	differs, notes := r.Counts(diff.Differs)+r.More, r.Counts(diff.Remark)
	moved := x.half == PairMovedA || x.half == PairMovedB
	p.Changed = moved && r.Kind == diff.Different
	var words []string
	if x.half != PairChanged && x.half != PairSame {
		words = append(words, p.Word)
	}
	if differs > 0 {
		words = append(words, human.Plural(differs, "difference", "differences"))
	}
	if notes > 0 {
		words = append(words, human.Plural(notes, "note", "notes"))
	}
	if len(words) > 0 {
		p.Word = strings.Join(words, ", ")
	}
	return p
}
