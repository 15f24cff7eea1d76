/** `tongs mcp` with a forge that repeats credentials: no output contains one. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { expect, it, onTestFinished } from "vitest"
import { TIMEOUT, httpServer, program, removeFolder } from "./TongsCommand.test-support.ts"

const TOKEN = "ghp_c4nary/plus+secret~42"
const PASSWORD = "p4ssw0rd-of-a-hook"
const sha = "1".repeat(40)
const SIGNATURE = "s1gnature9Of8A7Link6x"

/** Every form in which an output could contain a secret, without the characters that depend on the surrounding text. */
const secrets = [
  TOKEN,
  encodeURIComponent(TOKEN),
  ...["", "x:", "me:"].map((user) => btoa(`${user}${TOKEN}`).slice(4, -4)),
  PASSWORD,
  SIGNATURE
]

/** Answers with the content of the request, in each string of the body. */
const repeat = (request: IncomingMessage, response: ServerResponse) => {
  const { pathname } = new URL(request.url ?? "/", "http://forge.test")
  const header = request.headers.authorization ?? ""
  const text = [
    `Authorization: ${header}`,
    JSON.stringify(request.headers),
    encodeURIComponent(header),
    btoa(`x:${TOKEN}`),
    `https://me:${PASSWORD}@hooks.test/in`,
    `https://files.test/a.zip?se=1&sp=r&sig=${SIGNATURE}`
  ].join(" ")
  const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    response
      .writeHead(status, { "content-type": "application/json", "x-request-id": header, ...headers })
      .end(JSON.stringify(body))
  if (pathname.endsWith("/zip")) return send(302, {}, { location: `/file.zip?sig=${SIGNATURE}&expires=1` })
  if (pathname === "/file.zip") return send(403, { message: text })
  if (pathname.endsWith("/branches")) return send(200, [{ name: text, commit: { sha, url: text }, protected: false }])
  if (pathname.endsWith("/hooks"))
    return send(200, [{ type: "Repository", id: 1, name: "web", active: true, config: { url: text }, events: [text] }])
  if (pathname.endsWith("/contents/f")) {
    const code = "const url = `https://me:${password}@host` // Bearer 0fAn0therToken123"
    const content = Buffer.from(`${code}\n${header}\n${btoa(`x:${TOKEN}`)}\n`).toString("base64")
    return send(200, {
      type: "file",
      size: 100,
      name: "f",
      path: "f",
      sha,
      url: text,
      git_url: null,
      html_url: null,
      download_url: text,
      _links: { self: text, git: null, html: null },
      encoding: "base64",
      content
    })
  }
  return send(404, { message: text, errors: [text] }, { "x-accepted-oauth-scopes": header, "x-oauth-scopes": "user" })
}

for (const flags of [[], ["--log-level", "debug"]]) {
  it(`shows no credential that a forge repeats ${flags.join(" ")}`, { timeout: TIMEOUT }, async () => {
    const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-mcp-secrets-"))
    onTestFinished(() => removeFolder(home))
    const url = await httpServer((request, _, response) => repeat(request, response))
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        program,
        "mcp",
        "--url",
        url,
        ...flags,
        "--toolsets",
        "branches,repository-hooks,contents,artifacts,commits"
      ],
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, TONGS_TOKEN: TOKEN },
      stderr: "pipe"
    })
    let output = ""
    transport.stderr?.on("data", (text: unknown) => (output += String(text)))
    const client = new Client({ name: "test", version: "1.0.0" })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    let answers = 0
    for (const { inputSchema, name } of tools) {
      const required = Object.fromEntries(
        (inputSchema.required ?? []).map((field) => [field, field.endsWith("_id") ? 1 : "f"])
      )
      const result = await client.callTool({
        name,
        arguments: { ...required, ...(name.startsWith("file") ? { path: "f" } : {}), repo: "octo/hello" }
      })
      output += JSON.stringify(result)
      answers += JSON.stringify(result).includes("***") ? 1 : 0
    }
    expect(answers).toBeGreaterThan(tools.length / 2)
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
    // The text of a file is unchanged, except for the credential in use.
    expect(output).toContain("https://me:${password}@host` // Bearer 0fAn0therToken123")
  })
}
