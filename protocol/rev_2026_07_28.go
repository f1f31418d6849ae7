package protocol

// 2026-07-28: self-contained requests without handshake or session; the server
// asks by input_required instead of requests; one subscription stream; tasks as
// an extension.
var rev20260728 = Revision{
	Name:              "2026-07-28",
	Modern:            true,
	VersionHeader:     true,
	MetadataHeaders:   true,
	CompletionContext: true,
	ResultType:        true,
	CacheHints:        true,
	ErrorIDOptional:   true,
	ToolAnnotations:   true,
	Icons:             true,
	Structured:        StructuredAny,
	ContentTypes:      rev20251125.ContentTypes,
	NotFoundCode:      CodeInvalidParams,
	ElicitationModes:  []string{"form", "url"},
	Dialect:           dialect2020,
	Methods: Methods{
		ClientRequests: []string{
			MethodDiscover,
			MethodToolsList, MethodToolsCall,
			MethodPromptsList, MethodPromptsGet,
			MethodResourcesList, MethodResourceTemplatesList, MethodResourcesRead,
			MethodComplete, MethodSubscriptionsListen,
		},
		ClientNotifications: []string{NotificationCancelled},
		ServerNotifications: []string{
			NotificationCancelled, NotificationProgress, NotificationMessage,
			NotificationToolsChanged, NotificationPromptsChanged, NotificationResourcesChanged,
			NotificationResourceUpdated, NotificationSubscriptionAcknowledged,
		},
	},
	Extensions: Methods{
		ClientRequests:      []string{MethodTasksGet, MethodTasksUpdate, MethodTasksCancel},
		ServerNotifications: []string{NotificationTasks},
	},
	InputRequired:    []string{MethodToolsCall, MethodPromptsGet, MethodResourcesRead},
	InputRequests:    []string{MethodRootsList, MethodSampling, MethodElicit},
	samplingMembers:  true,
	elicitMembers:    true,
	clientExtensions: true,
	infoTitle:        true,
	infoDescription:  true,
}
