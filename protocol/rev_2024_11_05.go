package protocol

// 2024-11-05: the first revision. stdio and HTTP+SSE.
var rev20241105 = Revision{
	Name:                       "2024-11-05",
	Ping:                       true,
	CancelByNotificationOnHTTP: true,
	ServerRequests:             true,
	ContentTypes:               []string{"text", "image", "resource"},
	NotFoundCode:               CodeResourceNotFound,
	Methods: Methods{
		ClientRequests: []string{
			MethodInitialize, MethodPing,
			MethodToolsList, MethodToolsCall,
			MethodPromptsList, MethodPromptsGet,
			MethodResourcesList, MethodResourceTemplatesList, MethodResourcesRead,
			MethodResourcesSubscribe, MethodResourcesUnsubscribe,
			MethodComplete, MethodSetLevel,
		},
		ServerRequests:      []string{MethodPing, MethodRootsList, MethodSampling},
		ClientNotifications: []string{NotificationInitialized, NotificationCancelled, NotificationProgress, NotificationRootsChanged},
		ServerNotifications: []string{
			NotificationCancelled, NotificationProgress, NotificationMessage,
			NotificationToolsChanged, NotificationPromptsChanged, NotificationResourcesChanged,
			NotificationResourceUpdated,
		},
	},
	rootsListChanged:  true,
	noCompletionsFlag: true,
}
