package protocol

import "slices"

// 2025-11-25: URL elicitation, experimental tasks, icons, tools in sampling,
// polling of closed streams. The last revision with a handshake.
var rev20251125 = Revision{
	Name:                       "2025-11-25",
	SessionHeader:              true,
	VersionHeader:              true,
	StandaloneStream:           true,
	Resumption:                 true,
	WaitRetry:                  true,
	Ping:                       true,
	CancelByNotificationOnHTTP: true,
	CompletionContext:          true,
	ServerRequests:             true,
	ErrorIDOptional:            true,
	ToolAnnotations:            true,
	Icons:                      true,
	Structured:                 StructuredObject,
	ContentTypes:               rev20250618.ContentTypes,
	NotFoundCode:               CodeResourceNotFound,
	ElicitationModes:           []string{"form", "url"},
	Dialect:                    dialect2020,
	Methods: Methods{
		ClientRequests:      slices.Concat(rev20250618.Methods.ClientRequests, taskRequests),
		ServerRequests:      slices.Concat(rev20250618.Methods.ServerRequests, taskRequests),
		ClientNotifications: slices.Concat(rev20250618.Methods.ClientNotifications, []string{NotificationTasksStatus}),
		ServerNotifications: slices.Concat(rev20250618.Methods.ServerNotifications, []string{NotificationElicitationComplete, NotificationTasksStatus}),
	},
	rootsListChanged: true,
	samplingMembers:  true,
	elicitMembers:    true,
	clientExtensions: true,
	infoTitle:        true,
	infoDescription:  true,
}

const dialect2020 = "https://json-schema.org/draft/2020-12/schema"

var taskRequests = []string{MethodTasksGet, MethodTasksResult, MethodTasksList, MethodTasksCancel}
