/** Sessions with tool servers over stdio, which count the tokens that a model reads. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"

/** How to start a tool server. */
export interface Server {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** The text of the answers to one or more calls. */
export interface Answer {
  readonly text: string
  readonly calls: number
}

/** A session with a tool server. */
export interface Session {
  /** The list of tools as JSON. */
  readonly tools: () => Promise<ReadonlyArray<{ readonly name: string }>>
  /** Id of the server's process. */
  readonly pid: number
  /** The server's instructions for the model. */
  readonly instructions: string
  /** Calls a tool. Rejects if the answer is an error. */
  readonly call: (name: string, args: object) => Promise<Answer>
  /** Calls a tool. The answer may be an error. */
  readonly result: (name: string, args: object) => Promise<Answer & { readonly isError: boolean }>
  readonly close: () => Promise<void>
}

/** Returns the number of tokens of `o200k_base`. */
export const tokens = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

/** Returns a list of tools as a model reads it. Icons are missing, because clients do not send them to models. */
export const listText = (tools: ReadonlyArray<object>): string =>
  JSON.stringify(tools, (name, value) => (name === "icons" ? undefined : value))

/** Returns the number of tokens of a list of tools. */
export const listTokens = (tools: ReadonlyArray<object>): number => tokens(listText(tools))

export const join = (answers: ReadonlyArray<Answer>): Answer => ({
  text: answers.map(({ text }) => text).join("\n"),
  calls: answers.reduce((calls, answer) => calls + answer.calls, 0)
})

interface Block {
  readonly type: string
  readonly text?: string
  readonly resource?: { readonly text?: string }
}

/** Starts a server and initializes a session. */
export const connect = async ({ args, command, cwd, env }: Server): Promise<Session> => {
  const client = new Client({ name: "token-table", version: "1.0.0" })
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: "ignore" })
  await client.connect(transport)
  const result: Session["result"] = async (name, given) => {
    const result = await client.callTool({ name, arguments: { ...given } })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client has validated the result
    const blocks = result.content as ReadonlyArray<Block>
    const text = blocks.map((block) => block.text ?? block.resource?.text ?? JSON.stringify(block)).join("\n")
    return {
      text: text === "" ? JSON.stringify(result.structuredContent) : text,
      calls: 1,
      isError: result.isError === true
    }
  }
  return {
    tools: async () => (await client.listTools()).tools,
    pid: transport.pid ?? 0,
    instructions: client.getInstructions() ?? "",
    result,
    call: async (name, args) => {
      const { isError, ...answer } = await result(name, args)
      if (isError) throw new Error(`${name}: ${answer.text}`)
      return answer
    },
    close: () => client.close()
  }
}
