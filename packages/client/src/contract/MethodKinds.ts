import type { MethodKind } from "@tongs/core/client/EndpointDescription"

/** The kind of a method by name: `listCommits` is a list, like most methods with this verb. */
export const kindByName = (name: string): MethodKind => (name.startsWith("list") ? "list" : "call")
