package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Colour names of our own. Those of direction, status and JSON are for text and glyphs, the others for grounds.
const (
	ColorOut fyne.ThemeColorName = "mcploupe.out" // to the server
	ColorIn  fyne.ThemeColorName = "mcploupe.in"  // from the server

	ColorOK        fyne.ThemeColorName = "mcploupe.ok"
	ColorFailed    fyne.ThemeColorName = "mcploupe.failed"
	ColorPending   fyne.ThemeColorName = "mcploupe.pending"
	ColorWarning   fyne.ThemeColorName = "mcploupe.warning"
	ColorLate      fyne.ThemeColorName = "mcploupe.late"
	ColorCancelled fyne.ThemeColorName = "mcploupe.cancelled"

	ColorMuted fyne.ThemeColorName = "mcploupe.muted" // secondary text, line numbers

	ColorKey         fyne.ThemeColorName = "mcploupe.json.key"
	ColorString      fyne.ThemeColorName = "mcploupe.json.string"
	ColorNumber      fyne.ThemeColorName = "mcploupe.json.number"
	ColorLiteral     fyne.ThemeColorName = "mcploupe.json.literal"
	ColorPunctuation fyne.ThemeColorName = "mcploupe.json.punctuation"

	ColorPanel       fyne.ThemeColorName = "mcploupe.panel"        // side bars, headers
	ColorZebra       fyne.ThemeColorName = "mcploupe.zebra"        // every other row
	ColorRowHover    fyne.ThemeColorName = "mcploupe.row.hover"    // row under the mouse
	ColorRowSelected fyne.ThemeColorName = "mcploupe.row.selected" // selected row of the focused list
	ColorRowChosen   fyne.ThemeColorName = "mcploupe.row.chosen"   // selected row of a list without focus
	ColorRowMarked   fyne.ThemeColorName = "mcploupe.row.marked"   // row related to the selected one
	ColorSelection   fyne.ThemeColorName = "mcploupe.selection"    // selected text
	ColorHit         fyne.ThemeColorName = "mcploupe.hit"          // found text
	ColorHitCurrent  fyne.ThemeColorName = "mcploupe.hit.current"  // found text the search stands on
	ColorAdded       fyne.ThemeColorName = "mcploupe.added"        // added lines
	ColorRemoved     fyne.ThemeColorName = "mcploupe.removed"      // removed lines
	ColorChanged     fyne.ThemeColorName = "mcploupe.changed"      // changed characters
)

// pair is a colour in the dark and in the light variant.
type pair struct{ dark, light color.NRGBA }

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, alpha uint8) color.NRGBA {
	c := rgb(v)
	c.A = alpha
	return c
}

func lookup(name fyne.ThemeColorName, variant fyne.ThemeVariant) (color.Color, bool) {
	p, ok := own[name]
	if !ok {
		p, ok = stock[name]
	}
	if !ok {
		return nil, false
	}
	if variant == theme.VariantLight {
		return p.light, true
	}
	return p.dark, true
}

// own are the colours Fyne has no name for.
var own = map[fyne.ThemeColorName]pair{
	ColorOut:       {rgb(0x8fb4ff), rgb(0x2a55c4)},
	ColorIn:        {rgb(0x4fcfc0), rgb(0x0b6b63)},
	ColorOK:        {rgb(0x62c98f), rgb(0x17703f)},
	ColorFailed:    {rgb(0xff9691), rgb(0xb3261e)},
	ColorPending:   {rgb(0xc3adff), rgb(0x6438b8)},
	ColorWarning:   {rgb(0xecbc5c), rgb(0x7d5200)},
	ColorLate:      {rgb(0xffa46b), rgb(0x99430b)},
	ColorCancelled: {rgb(0xabb4c2), rgb(0x566071)},
	ColorMuted:     {rgb(0xabb4c2), rgb(0x566071)},

	ColorKey:         {rgb(0x93bbff), rgb(0x1f4ea6)},
	ColorString:      {rgb(0x9bd18b), rgb(0x276a2c)},
	ColorNumber:      {rgb(0xf2b07f), rgb(0x95440a)},
	ColorLiteral:     {rgb(0xd6adfa), rgb(0x7431b0)},
	ColorPunctuation: {rgb(0xabb4c2), rgb(0x566071)},

	ColorPanel:       {rgb(0x1b1e24), rgb(0xf5f6f8)},
	ColorZebra:       {rgb(0x191c21), rgb(0xf9fafb)},
	ColorRowHover:    {rgb(0x22262d), rgb(0xf0f2f5)},
	ColorRowSelected: {rgb(0x22375c), rgb(0xd9e6ff)},
	ColorRowChosen:   {rgb(0x2b303a), rgb(0xe7eaef)},
	ColorRowMarked:   {rgb(0x202a3a), rgb(0xedf3ff)},
	ColorSelection:   {rgb(0x27406b), rgb(0xcfe0ff)},
	ColorHit:         {rgb(0x3d331c), rgb(0xfff0c2)},
	ColorHitCurrent:  {rgb(0x543d0c), rgb(0xffdf80)},
	ColorAdded:       {rgb(0x16301f), rgb(0xe2f6e8)},
	ColorRemoved:     {rgb(0x3a1d1e), rgb(0xfde7e6)},
	ColorChanged:     {rgb(0x3f3110), rgb(0xfdedc4)},
}

// stock are Fyne's names with our colours.
var stock = map[fyne.ThemeColorName]pair{
	theme.ColorNameBackground:          {rgb(0x16181d), rgb(0xffffff)},
	theme.ColorNameForeground:          {rgb(0xe6e8ec), rgb(0x1d222a)},
	theme.ColorNamePlaceHolder:         {rgb(0xabb4c2), rgb(0x566071)},
	theme.ColorNameDisabled:            {rgb(0x8a93a3), rgb(0x6b7483)},
	theme.ColorNamePrimary:             {rgb(0x86b0ff), rgb(0x2555c8)},
	theme.ColorNameForegroundOnPrimary: {rgb(0x0e1420), rgb(0xffffff)},
	theme.ColorNameHyperlink:           {rgb(0x8fb4ff), rgb(0x2a55c4)},
	theme.ColorNameFocus:               {rgba(0x86b0ff, 0x55), rgba(0x2555c8, 0x40)},
	theme.ColorNameSelection:           {rgba(0x4b83f0, 0x60), rgba(0x2a6bf0, 0x38)},
	theme.ColorNameHover:               {rgba(0xffffff, 0x10), rgba(0x1d2a44, 0x0e)},
	theme.ColorNamePressed:             {rgba(0xffffff, 0x24), rgba(0x1d2a44, 0x20)},

	theme.ColorNameButton:              {rgb(0x2a2f38), rgb(0xeceff3)},
	theme.ColorNameDisabledButton:      {rgb(0x22262d), rgb(0xf2f4f7)},
	theme.ColorNameInputBackground:     {rgb(0x1d2026), rgb(0xf5f7fa)},
	theme.ColorNameInputBorder:         {rgb(0x737c8c), rgb(0x858e9c)},
	theme.ColorNameHeaderBackground:    {rgb(0x1b1e24), rgb(0xf5f6f8)},
	theme.ColorNameMenuBackground:      {rgb(0x22262d), rgb(0xffffff)},
	theme.ColorNameOverlayBackground:   {rgb(0x1e2128), rgb(0xffffff)},
	theme.ColorNameSeparator:           {rgb(0x2b303a), rgb(0xe0e4ea)},
	theme.ColorNameShadow:              {rgba(0x000000, 0x80), rgba(0x1d2a44, 0x30)},
	theme.ColorNameScrollBar:           {rgba(0xaab4c5, 0x8c), rgba(0x3d4759, 0x98)},
	theme.ColorNameScrollBarBackground: {rgba(0xaab4c5, 0x10), rgba(0x3d4759, 0x0c)},

	theme.ColorNameError:               {rgb(0xff9691), rgb(0xb3261e)},
	theme.ColorNameForegroundOnError:   {rgb(0x1c0f10), rgb(0xffffff)},
	theme.ColorNameSuccess:             {rgb(0x62c98f), rgb(0x17703f)},
	theme.ColorNameForegroundOnSuccess: {rgb(0x0c1811), rgb(0xffffff)},
	theme.ColorNameWarning:             {rgb(0xecbc5c), rgb(0x7d5200)},
	theme.ColorNameForegroundOnWarning: {rgb(0x1a1407), rgb(0xffffff)},
}
