package protocol

import "github.com/go-json-experiment/json/jsontext"

// Requests of the client.
const (
	MethodInitialize            = "initialize"
	MethodDiscover              = "server/discover"
	MethodToolsList             = "tools/list"
	MethodToolsCall             = "tools/call"
	MethodResourcesList         = "resources/list"
	MethodResourceTemplatesList = "resources/templates/list"
	MethodResourcesRead         = "resources/read"
	MethodResourcesSubscribe    = "resources/subscribe"
	MethodResourcesUnsubscribe  = "resources/unsubscribe"
	MethodSubscriptionsListen   = "subscriptions/listen"
	MethodPromptsList           = "prompts/list"
	MethodPromptsGet            = "prompts/get"
	MethodComplete              = "completion/complete"
	MethodSetLevel              = "logging/setLevel"
)

// Requests of the server.
const (
	MethodRootsList = "roots/list"
	MethodSampling  = "sampling/createMessage"
	MethodElicit    = "elicitation/create"
)

// Requests of both sides.
const (
	MethodPing        = "ping"
	MethodTasksGet    = "tasks/get"
	MethodTasksResult = "tasks/result"
	MethodTasksList   = "tasks/list"
	MethodTasksCancel = "tasks/cancel"
	MethodTasksUpdate = "tasks/update"
)

// Notifications.
const (
	MethodInitialized                    = "notifications/initialized"
	NotificationInitialized              = MethodInitialized
	NotificationCancelled                = "notifications/cancelled"
	NotificationProgress                 = "notifications/progress"
	NotificationMessage                  = "notifications/message"
	NotificationToolsChanged             = "notifications/tools/list_changed"
	NotificationResourcesChanged         = "notifications/resources/list_changed"
	NotificationPromptsChanged           = "notifications/prompts/list_changed"
	NotificationResourceUpdated          = "notifications/resources/updated"
	NotificationRootsChanged             = "notifications/roots/list_changed"
	NotificationElicitationComplete      = "notifications/elicitation/complete"
	NotificationTasksStatus              = "notifications/tasks/status"
	NotificationTasks                    = "notifications/tasks"
	NotificationSubscriptionAcknowledged = "notifications/subscriptions/acknowledged"
)

// The reserved keys of _meta.
const (
	MetaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel           = "io.modelcontextprotocol/logLevel"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"
	MetaSubscriptionID     = "io.modelcontextprotocol/subscriptionId"
	MetaProgressToken      = "progressToken"
)

// NameOf returns what a request is about.
func NameOf(method string, params jsontext.Value) string { return "" }
