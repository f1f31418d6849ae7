package demo

import (
	"encoding/base64"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const domeSVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#16233f"/>` +
	`<path d="M8 36a16 16 0 0 1 32 0z" fill="#e8ecf5"/><path d="M22 20.500l4-.3v15.800h-4z" fill="#16233f"/>` +
	`<circle cx="36" cy="12" r="2" fill="#ffd479"/><circle cx="12" cy="14" r="1.300" fill="#ffd479"/></svg>`

// dataURI is data as a data: URI, so that no client has to fetch anything.
func dataURI(mime string, data []byte) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// stationIcons are the server's own icons: one that scales, and bitmaps for a light and a dark background.
func stationIcons() ([]mcp.Icon, error) {
	icons := []mcp.Icon{{Source: dataURI("image/svg+xml", []byte(domeSVG)), MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
	for _, v := range []struct {
		theme   mcp.IconTheme
		palette string
	}{{mcp.IconThemeLight, "natural"}, {mcp.IconThemeDark, "infrared"}} {
		icon, err := pictureIcon("vega", v.palette)
		if err != nil {
			return nil, err
		}
		icon.Theme = v.theme
		icons = append(icons, icon)
	}
	return icons, nil
}

// drawn holds the icons that were drawn before, by target and palette; there are at most as many as those allow.
var drawn sync.Map

// pictureIcon is the picture of a target as an icon.
func pictureIcon(name, palette string) (mcp.Icon, error) {
	if icon, ok := drawn.Load(name + " " + palette); ok {
		return icon.(mcp.Icon), nil
	}
	t, _ := findTarget(name)
	data, err := skyImage(t, 32, palette)
	if err != nil {
		return mcp.Icon{}, err
	}
	icon := mcp.Icon{Source: dataURI("image/png", data), MIMEType: "image/png", Sizes: []string{"32x32"}}
	drawn.Store(name+" "+palette, icon)
	return icon, nil
}
