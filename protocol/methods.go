package protocol

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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

// MethodInitialized is NotificationInitialized under its other usual name.
const MethodInitialized = NotificationInitialized

// Notifications.
const (
	NotificationInitialized              = "notifications/initialized"
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

const notificationPrefix = "notifications/"

var (
	requestMethods = []string{
		MethodInitialize, MethodDiscover, MethodToolsList, MethodToolsCall, MethodResourcesList,
		MethodResourceTemplatesList, MethodResourcesRead, MethodResourcesSubscribe, MethodResourcesUnsubscribe,
		MethodSubscriptionsListen, MethodPromptsList, MethodPromptsGet, MethodComplete, MethodSetLevel,
		MethodRootsList, MethodSampling, MethodElicit, MethodPing, MethodTasksGet, MethodTasksResult,
		MethodTasksList, MethodTasksCancel, MethodTasksUpdate,
	}
	notificationMethods = []string{
		NotificationInitialized, NotificationCancelled, NotificationProgress, NotificationMessage,
		NotificationToolsChanged, NotificationResourcesChanged, NotificationPromptsChanged,
		NotificationResourceUpdated, NotificationRootsChanged, NotificationElicitationComplete,
		NotificationTasksStatus, NotificationTasks, NotificationSubscriptionAcknowledged,
	}
	knownMethods = func() map[string]string {
		known := map[string]string{}
		for _, list := range [][]string{requestMethods, notificationMethods} {
			for _, name := range list {
				known[name] = name
			}
		}
		return known
	}()
)

func isRequestMethod(method string) bool {
	name, known := knownMethods[method]
	return known && !strings.HasPrefix(name, notificationPrefix)
}

// NameOf returns what a request or notification is about, for rows and for
// pairing across recordings: params.name of a tool or prompt, params.uri of a
// resource, the name or URI of a completion's reference, params.taskId, the
// level of logging/setLevel. It is "" for anything else.
func NameOf(method string, params jsontext.Value) string {
	pointer := ""
	switch method {
	case MethodToolsCall, MethodPromptsGet:
		pointer = "/name"
	case MethodResourcesRead, MethodResourcesSubscribe, MethodResourcesUnsubscribe, NotificationResourceUpdated:
		pointer = "/uri"
	case MethodTasksGet, MethodTasksResult, MethodTasksCancel, MethodTasksUpdate, NotificationTasksStatus, NotificationTasks:
		pointer = "/taskId"
	case MethodSetLevel:
		pointer = "/level"
	case MethodComplete:
		pointer = "/ref/name"
		if v, _, ok := Lookup(params, "/ref/uri"); ok {
			name, _ := StringValue(v)
			return name
		}
	default:
		return ""
	}
	v, _, _ := Lookup(params, pointer)
	name, _ := StringValue(v)
	return name
}
