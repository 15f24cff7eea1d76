/** Writes through `tongs mcp`: confirmed by the user, restricted, or only described. */
import * as V2 from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { describe, expect, it, onTestFinished } from "vitest"
import {
  connectHttp,
  connectStdio,
  createWorkspace,
  sendAlone,
  serveHttp,
  type Workspace
} from "./McpProcess.test-support.ts"

const writes = ["--toolsets", "git-refs,repositories", "--allow-writes"]

const deletion = (name: string) => ({ name: "git_refs_delete", arguments: { ref: `heads/${name}` } })

const branches = ({ git }: Workspace) => git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n")

const texts = (result: unknown) => JSON.stringify(result)

type Action = "accept" | "decline" | "cancel"

/** A client whose user answers with `answers`, in order. */
const answering = (...answers: ReadonlyArray<Action>) => {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } })
  const questions: Array<string> = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message)
    const action = answers[questions.length - 1] ?? "cancel"
    return { action, ...(action === "accept" ? { content: {} } : {}) }
  })
  return { client, questions }
}

describe("a deletion in a session", () => {
  for (const transport of ["stdio", "HTTP"] as const) {
    it(`needs the user's agreement, over ${transport}`, async () => {
      const workspace = createWorkspace()
      workspace.git("branch", "old")
      const { client, questions } = answering("decline", "cancel", "accept")
      await (transport === "stdio"
        ? connectStdio(client, workspace, writes)
        : connectHttp(client, await serveHttp(workspace, writes)))
      for (const _ of [1, 2]) {
        expect(texts(await client.callTool(deletion("old")))).toContain("the user did not agree")
        expect(branches(workspace)).toEqual(["main", "old"])
      }
      expect((await client.callTool(deletion("old"))).isError).not.toBe(true)
      expect(branches(workspace)).toEqual(["main"])
      const question =
        /^Delete a reference\? This cannot be undone\.\nRepository: ".*\/hello"\nref: "heads\/old"\nRequest: DELETE .*heads%2Fold/
      expect(questions).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(question)))
    })
  }

  it("is not asked for to commit a file, whose content is text, nor to merge nothing", async () => {
    const workspace = createWorkspace()
    workspace.git("checkout", "--quiet", "--detach")
    const { client, questions } = answering()
    await connectStdio(client, workspace, ["--allow-writes"])
    const change = async (operation: string, given: object) =>
      texts(await client.callTool({ name: "change", arguments: { operation, arguments: given } }))
    const file = { path: "notes.md", message: "Add notes", content: "# Grüße\n", branch: "main" }
    expect(await change("contents.createOrUpdate", file)).toContain("Done: Create or update a file.")
    expect(workspace.git("show", "main:notes.md")).toBe("# Grüße")
    expect(await change("branches.merge", { base: "main", head: "main" })).toContain("Nothing to merge.")
    expect(questions).toEqual([])
  })

  it("needs it also through the tool change, which can also describe the request", async () => {
    const workspace = createWorkspace()
    workspace.git("branch", "old")
    const { client, questions } = answering("decline", "accept")
    await connectStdio(client, workspace, ["--allow-writes"])
    const change = { operation: "gitRefs.delete", arguments: { ref: "heads/old" } }
    const call = async (more: object = {}) => {
      const result = await client.callTool({ name: "change", arguments: { ...change, ...more } })
      return texts(result.content)
    }
    expect(await call({ dry_run: true })).toMatch(/nothing was sent.*DELETE \/repos\/.*cannot be undone/)
    expect(questions).toEqual([])
    expect(await call()).toContain("the user did not agree")
    expect(branches(workspace)).toEqual(["main", "old"])
    expect(await call()).toContain("Done: Delete a reference")
    expect(branches(workspace)).toEqual(["main"])
  })

  it("is refused by a client that cannot ask, which learns how to allow it", async () => {
    const workspace = createWorkspace()
    workspace.git("branch", "old")
    const client = new Client({ name: "test", version: "1.0.0" })
    await connectStdio(client, workspace, writes)
    const result = await client.callTool(deletion("old"))
    expect(result.isError).toBe(true)
    expect(texts(result)).toContain("--confirm=never")
    expect(branches(workspace)).toEqual(["main", "old"])
  })

  it("runs with --confirm=never", async () => {
    const workspace = createWorkspace()
    workspace.git("branch", "old")
    const client = new Client({ name: "test", version: "1.0.0" })
    await connectStdio(client, workspace, [...writes, "--confirm=never"])
    expect((await client.callTool(deletion("old"))).isError).not.toBe(true)
    expect(branches(workspace)).toEqual(["main"])
  })
})

describe("a deletion without a session", () => {
  const start = async (...args: ReadonlyArray<string>) => {
    const workspace = createWorkspace()
    for (const name of ["old", "older", "oldest"]) workspace.git("branch", name)
    const served = await serveHttp(workspace, [...writes, ...args])
    const call = async (name: string, more: object = {}, capabilities: object = { elicitation: { form: {} } }) =>
      (await sendAlone(served, "tools/call", { ...deletion(name), ...more }, capabilities)).result
    return { workspace, call, names: () => branches(workspace) }
  }
  const answer = (requestState: unknown, action: Action = "accept") => ({
    requestState,
    inputResponses: { confirm: { action, ...(action === "accept" ? { content: {} } : {}) } }
  })

  it("needs the user's agreement in the next call, once", async () => {
    const { call, names } = await start()
    const asked = await call("old")
    expect(asked).toMatchObject({
      resultType: "input_required",
      requestState: expect.stringMatching(/^[\w.-]{50,200}$/),
      inputRequests: {
        confirm: {
          method: "elicitation/create",
          params: { mode: "form", message: expect.stringContaining('ref: "heads/old"') }
        }
      }
    })
    expect(names()).toEqual(["main", "old", "older", "oldest"])
    expect(await call("old", answer(asked.requestState))).toMatchObject({ resultType: "complete" })
    expect(names()).toEqual(["main", "older", "oldest"])
  })

  it("does not run if the confirmation is declined, replayed, or belongs to another call", async () => {
    const { call, names, workspace } = await start()
    const { requestState: declined } = await call("old")
    for (const [more, reason] of [
      [answer(declined, "decline"), "the user did not agree"],
      [answer(declined), "it was already used"],
      [{ requestState: declined }, "it was already used"],
      [{ inputResponses: answer("").inputResponses }, "the confirmation is invalid"]
    ] as const) {
      const result = await call("old", more)
      expect(result).toMatchObject({ isError: true })
      expect(texts(result)).toContain(reason)
    }
    const { requestState } = await call("old")
    expect(texts(await call("older", answer(requestState)))).toContain("belongs to another call")
    expect(names()).toEqual(["main", "old", "older", "oldest"])
    expect(await call("old", answer(requestState))).toMatchObject({ resultType: "complete" })
    workspace.git("branch", "old")
    expect(texts(await call("old", answer(requestState)))).toContain("it was already used")
    expect(names()).toEqual(["main", "old", "older", "oldest"])
  })

  it("is not confirmed by the state of another server", async () => {
    const [one, other] = [await start(), await start()]
    const { requestState } = await one.call("old")
    expect(texts(await other.call("old", answer(requestState)))).toContain("the confirmation is invalid")
    expect(other.names()).toContain("old")
  })

  it("is refused for a client that cannot ask", async () => {
    const { call, names } = await start()
    const { requestState } = await call("old")
    for (const more of [{}, answer(requestState)]) {
      const result = await call("old", more, {})
      expect(result).toMatchObject({ isError: true })
      expect(texts(result)).toContain("--confirm=never")
    }
    expect(names()).toContain("old")
  })

  it("is confirmed through the official client", async () => {
    const workspace = createWorkspace()
    workspace.git("branch", "old")
    const { headers, url } = await serveHttp(workspace, writes)
    const client = new V2.Client(
      { name: "test", version: "1.0.0" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } }
    )
    onTestFinished(() => client.close())
    const questions: Array<string> = []
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message)
      return { action: "accept", content: {} }
    })
    await client.connect(new V2.StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    expect((await client.callTool(deletion("old"))).isError).not.toBe(true)
    expect(questions).toHaveLength(1)
    expect(branches(workspace)).toEqual(["main"])
  })
})

it("a server restricted to another repository refuses writes, and a dry run only describes them", async () => {
  const workspace = createWorkspace()
  workspace.git("branch", "old")
  const client = new Client({ name: "test", version: "1.0.0" })
  await connectStdio(client, workspace, [...writes, "--confirm=never", "--allow-repo", "octo/other"])
  const refused = await client.callTool(deletion("old"))
  expect(refused.isError).toBe(true)
  expect(texts(refused)).toMatch(
    /only octo\/other\. To allow it, the user can start the server with --allow-repo \S+\/hello/
  )
  const dry = new Client({ name: "test", version: "1.0.0" })
  await connectStdio(dry, workspace, [...writes, "--dry-run"])
  expect(texts(await dry.callTool(deletion("old")))).toMatch(/nothing was sent.*DELETE \/repos\/.*cannot be undone/)
  expect(branches(workspace)).toEqual(["main", "old"])
})
