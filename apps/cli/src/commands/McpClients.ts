/** The configuration that adds `tongs mcp` to a client, in the form that the client expects. */
import * as ShellWord from "@tongs/core/text/ShellWord"

/** The clients whose configuration can be printed. */
export const clients = [
  "claude",
  "claude-desktop",
  "vscode",
  "cursor",
  "zed",
  "codex",
  "gemini",
  "copilot",
  "jetbrains",
  "windsurf",
  "opencode"
] as const // a tuple type

/** The name of a client. */
export type Client = (typeof clients)[number]

/** Returns true for an application with one configuration for all projects. */
export const isDesktop = (client: Client): boolean => client === "claude-desktop" || client === "windsurf"

/** A server that the client starts. */
export interface StdioServer {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** A running server, with the bearer token. */
export interface HttpServer {
  readonly url: string
  readonly token: string
}

const NAME = "tongs"

const json = (value: unknown) => JSON.stringify(value, undefined, 2)

const headersOf = ({ token }: HttpServer) => ({ Authorization: `Bearer ${token}` })

/** A TOML string. The escapes of JSON are valid in TOML, which also demands one for DEL. */
const toml = (text: string) => JSON.stringify(text).replaceAll("\u007f", "\\u007f")

/** Returns the configuration of a client that starts the server. */
export const stdio = (client: Client, { args, command }: StdioServer): string => {
  switch (client) {
    case "claude":
      return `claude mcp add --transport stdio ${NAME} -- ${[command, ...args].map(ShellWord.quote).join(" ")}`
    case "claude-desktop":
    case "cursor":
    case "gemini":
    case "jetbrains":
    case "windsurf":
      return json({ mcpServers: { [NAME]: { command, args } } })
    case "copilot":
      return json({ mcpServers: { [NAME]: { type: "local", command, args, tools: ["*"] } } })
    case "opencode":
      return json({ mcp: { [NAME]: { type: "local", command: [command, ...args], enabled: true } } })
    case "vscode":
      return json({ servers: { [NAME]: { type: "stdio", command, args } } })
    case "zed":
      return json({ context_servers: { [NAME]: { command, args, env: {} } } })
    case "codex":
      return [`[mcp_servers.${NAME}]`, `command = ${toml(command)}`, `args = [${args.map(toml).join(", ")}]`].join("\n")
  }
}

/** Returns the configuration of a client for a server over HTTP. */
export const http = (client: Client, server: HttpServer): string => {
  const { token, url } = server
  switch (client) {
    case "claude":
      return `claude mcp add --transport http ${NAME} ${ShellWord.quote(url)} --header ${ShellWord.quote(`Authorization: Bearer ${token}`)}`
    case "claude-desktop":
      // Claude Desktop starts all configured servers. The header has no space, because some versions split arguments at
      // spaces.
      return json({
        mcpServers: {
          [NAME]: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"],
            env: { AUTHORIZATION: `Bearer ${token}` }
          }
        }
      })
    case "vscode":
      return json({ servers: { [NAME]: { type: "http", url, headers: headersOf(server) } } })
    case "cursor":
    case "jetbrains":
      return json({ mcpServers: { [NAME]: { url, headers: headersOf(server) } } })
    case "gemini":
      return json({ mcpServers: { [NAME]: { httpUrl: url, headers: headersOf(server) } } })
    case "copilot":
      return json({ mcpServers: { [NAME]: { type: "http", url, headers: headersOf(server), tools: ["*"] } } })
    case "windsurf":
      return json({ mcpServers: { [NAME]: { serverUrl: url, headers: headersOf(server) } } })
    case "opencode":
      return json({ mcp: { [NAME]: { type: "remote", url, headers: headersOf(server), enabled: true } } })
    case "zed":
      return json({ context_servers: { [NAME]: { url, headers: headersOf(server) } } })
    case "codex":
      return [
        `[mcp_servers.${NAME}]`,
        `url = ${toml(url)}`,
        `http_headers = { Authorization = ${toml(`Bearer ${token}`)} }`
      ].join("\n")
  }
}

/** The file for the configuration, or undefined for a command to run. */
export const placeOf = (client: Client): string | undefined => {
  switch (client) {
    case "claude":
      return undefined
    case "claude-desktop":
      return "claude_desktop_config.json, which Settings > Developer > Edit Config opens"
    case "vscode":
      return ".vscode/mcp.json"
    case "cursor":
      return ".cursor/mcp.json, or ~/.cursor/mcp.json for all projects"
    case "zed":
      return "Zed's settings.json"
    case "codex":
      return "~/.codex/config.toml"
    case "gemini":
      return ".gemini/settings.json, or ~/.gemini/settings.json for all projects"
    case "copilot":
      return "~/.copilot/mcp-config.json"
    case "jetbrains":
      return "Settings > Tools > AI Assistant > Model Context Protocol (MCP), or .junie/mcp/mcp.json for Junie"
    case "windsurf":
      return "~/.codeium/windsurf/mcp_config.json"
    case "opencode":
      return "opencode.json, or ~/.config/opencode/opencode.json for all projects"
  }
}
