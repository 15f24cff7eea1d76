/** A task of an agent on code or a forge, and the calls with which each peer does it. */

/** A call of a peer. */
export interface Step {
  /** A tool of a server; `bash` for a command of the shell. */
  readonly tool: string
  /** `$name` is replaced by a text that an earlier answer gave, `#name` by a number. */
  readonly args: Readonly<Record<string, unknown>>
  /** Texts of the answer that later steps use, by name: the first group of each pattern. */
  readonly take: Readonly<Record<string, RegExp>>
}

/** The reason why a peer cannot do a task. */
export type Impossible = string

/** The calls of a peer, in order. */
export type Script = ReadonlyArray<Step> | Impossible

export interface Task {
  readonly name: string
  /** The request of the user. */
  readonly question: string
  /** A public issue or pull request that asks for this. */
  readonly thread?: string
  /** Texts that the answers contain if the task is done. */
  readonly facts: ReadonlyArray<string>
  /** For a task that changes data: a path of the API, and texts that its response contains afterwards. */
  readonly outcome?: { readonly path: string; readonly status?: number; readonly facts: ReadonlyArray<string> }
  readonly scripts: Readonly<Record<PeerName, Script>>
}

export const peerNames = ["tongs", "github-mcp-server", "shell"] as const
export type PeerName = (typeof peerNames)[number]

/** Creates a call of a tool. */
export const call = (tool: string, args: Step["args"] = {}, take: Step["take"] = {}): Step => ({ tool, args, take })

/** Creates a command of the shell. */
export const bash = (command: string, take: Step["take"] = {}): Step => ({ tool: "bash", args: { command }, take })

/** The reasons of `github-mcp-server`. */
export const NO_TOOL: Impossible = "none of its tools does this"

/** `github-mcp-server` has a tool, but the embedded forge lacks the operation that the tool calls. */
export const forgeLacks = (operation: string): Impossible => `the forge lacks ${operation}`
