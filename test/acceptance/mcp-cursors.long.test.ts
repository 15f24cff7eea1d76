/** Cursors of `tongs mcp`: a forged or foreign one is refused, and the forge receives no request. */
import { expect, it } from "vitest"
import * as McpRun from "./McpRun.test-support.ts"
import { httpServer, temporaryFolder } from "./TongsCommand.test-support.ts"

const sha = "1".repeat(40)

/** A forge whose lists never end. Records the paths of the requests. */
const endlessForge = async () => {
  const paths: Array<string> = []
  const url = await httpServer((request, _body, response) => {
    const { host } = request.headers
    const path = request.url ?? "/"
    paths.push(path)
    const page = new URL(path, "http://forge.test")
    page.searchParams.set("page", String(Number(page.searchParams.get("page") ?? 1) + 1))
    response.writeHead(200, {
      "content-type": "application/json",
      link: `<http://${host}${page.pathname}${page.search}>; rel="next"`
    })
    response.end(JSON.stringify([{ name: `branch-${paths.length}`, commit: { sha, url }, protected: false }]))
  })
  return { paths, url }
}

it("are valid for one tool, its arguments and one server", async () => {
  const { paths, url } = await endlessForge()
  const start = async (toolsets: string) => {
    const env = { TONGS_TOKEN: "secret" }
    const server = McpRun.start(["--url", url, "--toolsets", toolsets], { cwd: temporaryFolder(), env })
    server.send(McpRun.initialize(1))
    await server.response(1)
    server.send({ method: "notifications/initialized" })
    let id = 1
    return async (name: string, args: object) => {
      server.send({ id: ++id, method: "tools/call", params: { name, arguments: args } })
      const { result } = await server.response(id)
      return { isError: result.isError === true, text: String(result.content[0].text) }
    }
  }
  const call = await start("branches,tags")
  const other = await start("branches")
  const repo = "octo/hello"

  const first = await call("branches_list", { repo })
  const { cursor } = JSON.parse(/^More: call again with (.*)$/m.exec(first.text)?.[1] ?? "{}")
  expect(cursor).toMatch(/^[\w-]{12}$/)
  expect((await call("branches_list", { cursor })).text).toContain("branch-2")

  const link = Buffer.from(JSON.stringify({ next: `${url}/user/keys?per_page=30&page=2` })).toString("base64url")
  const received = paths.length
  for (const { isError, text } of [
    await call("branches_list", { repo, cursor: link }),
    await call("branches_list", { repo, cursor: `${url}/user/keys` }),
    await call("branches_list", { repo: "octo/other", cursor }),
    await call("tags_list", { repo, cursor }),
    await other("branches_list", { repo, cursor })
  ]) {
    expect(isError, text).toBe(true)
    expect(text).toContain("Invalid cursor")
  }
  expect(paths).toHaveLength(received)
})
