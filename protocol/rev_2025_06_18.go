package protocol

import "slices"

// 2025-06-18: elicitation, structured content, resource links, titles, the
// version header; no batches.
var rev20250618 = Revision{
	Name:                       "2025-06-18",
	SessionHeader:              true,
	VersionHeader:              true,
	StandaloneStream:           true,
	Resumption:                 true,
	Ping:                       true,
	CancelByNotificationOnHTTP: true,
	CompletionContext:          true,
	ServerRequests:             true,
	ToolAnnotations:            true,
	Structured:                 StructuredObject,
	ContentTypes:               []string{"text", "image", "audio", "resource", "resource_link"},
	NotFoundCode:               CodeResourceNotFound,
	ElicitationModes:           []string{"form"},
	Methods: Methods{
		ClientRequests:      rev20250326.Methods.ClientRequests,
		ServerRequests:      slices.Concat(rev20250326.Methods.ServerRequests, []string{MethodElicit}),
		ClientNotifications: rev20250326.Methods.ClientNotifications,
		ServerNotifications: rev20250326.Methods.ServerNotifications,
	},
	rootsListChanged: true,
	infoTitle:        true,
}
