package protocol

// 2025-03-26: Streamable HTTP, batches, tool annotations, audio.
var rev20250326 = Revision{
	Name:                       "2025-03-26",
	Batches:                    true,
	SessionHeader:              true,
	StandaloneStream:           true,
	Resumption:                 true,
	Ping:                       true,
	CancelByNotificationOnHTTP: true,
	ServerRequests:             true,
	ToolAnnotations:            true,
	ContentTypes:               []string{"text", "image", "audio", "resource"},
	NotFoundCode:               CodeResourceNotFound,
	Methods:                    rev20241105.Methods,
	rootsListChanged:           true,
}
