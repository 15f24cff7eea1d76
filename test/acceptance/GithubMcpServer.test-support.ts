/** The MCP server of GitHub, which is a program in Go, and its tools. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { onTestFinished } from "vitest"

/** The default toolsets without those of Copilot, and others for which a forge has data. */
const TOOLSETS = "context,issues,pull_requests,repos,users,actions,labels,notifications,orgs,git,stargazers"

type Arguments = Readonly<Record<string, unknown>>

/** Starts the server for a forge. Its tools get the owner and the name of a repository with each call. */
export const connect = async (url: string, token: string, home: string, repository: string) => {
  const [owner, repo] = repository.split("/")
  const client = new Client({ name: "test", version: "1.0.0" })
  onTestFinished(() => client.close())
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GITHUB_HOST: url, GITHUB_PERSONAL_ACCESS_TOKEN: token }
  const args = ["stdio", "--toolsets", TOOLSETS]
  await client.connect(new StdioClientTransport({ command: "github-mcp-server", args, env, stderr: "ignore" }))
  const { tools } = await client.listTools()

  /** Calls a tool. Returns its text, or the value if the text is JSON. Fails with the text of an error. */
  const call = async (
    name: string,
    given: Arguments = {}
    // oxlint-disable-next-line typescript/no-explicit-any -- assertions look into it
  ): Promise<any> => {
    const known = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
    const path = Object.entries({ owner, repo }).filter(([key]) => known.includes(key))
    const result = CallToolResultSchema.parse(
      await client.callTool({ name, arguments: { ...Object.fromEntries(path), ...given } })
    )
    const text = result.content
      .map((part) => {
        if (part.type === "text") return part.text
        return part.type === "resource" && "text" in part.resource ? part.resource.text : part.type
      })
      .join("\n")
    if (result.isError === true) throw new Error(`${name} failed: ${text}`)
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  return { call, names: tools.map(({ name }) => name) }
}
