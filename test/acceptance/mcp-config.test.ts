/** The flags of `tongs mcp`, and the configuration for clients that the command prints. */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Ajv } from "ajv"
import { describe, expect, it, onTestFinished } from "vitest"
import { sample } from "../LongTests.test-support.ts"
import { registrySchema } from "./McpRegistrySchema.test-support.ts"
import { compileCache, program, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const root = Path.join(import.meta.dirname, "../..")

describe("wrong usage", () => {
  it.each(
    sample(
      [
        [["--toolsets", "nothing"], /Toolsets: .*git-refs/],
        [["--toolsets", ","], /Empty value for --toolsets/],
        [["--allow-writes", "--allow-owner", "octo/hello"], /the name of a user or organization/],
        [["--allow-writes", "--allow-repo", "hello"], /a repository as OWNER\/NAME/],
        [["--allow-owner", "octo"], /--allow-owner without --allow-writes.*\nAdd --allow-writes/],
        [
          ["--allow-repo", "octo/hello", "--dry-run"],
          /--allow-repo, --dry-run without --allow-writes.*\nAdd --allow-writes/
        ],
        [["--deadline", "0"], /a number of seconds from 1 to 3600/],
        [["--deadline", "soon"], /--deadline/],
        [["--print-config", "emacs"], /"claude" .* "codex"/],
        [["--print-config", "claude", "--http", "0"], /Choose a port/]
      ],
      4
    )
  )("%j exits 2 with a hint", async (args, hint) => {
    const { code, stderr, stdout } = await shell().tongs(["mcp", ...args])
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(hint)
  })
})

/** Prints the configuration of a client, in a folder. */
const print = async (
  client: string,
  args: ReadonlyArray<string>,
  cwd = temporaryFolder(),
  env: NodeJS.ProcessEnv = {}
) => {
  const { code, stderr, stdout } = await shell(cwd).tongs(["mcp", "--print-config", client, ...args], { env })
  expect(code, stderr).toBe(0)
  return { text: stdout.toString(), stderr }
}

describe("--print-config", () => {
  it("carries the flags over, with absolute paths", async () => {
    const cwd = temporaryFolder()
    const { text } = await print(
      "vscode",
      [
        "--repos",
        "code",
        "--allow-writes",
        "--allow-owner=octo",
        "--allow-repo=mona/hello",
        "--dry-run",
        "--confirm=never",
        "--toolsets=git-refs,commits",
        "--structured",
        "--deadline=20",
        "--profile=work"
      ],
      cwd
    )
    const { args, command, type } = JSON.parse(text).servers.tongs
    expect(type).toBe("stdio")
    expect(command).toBe(program)
    expect(new Set(args)).toEqual(
      new Set([
        "mcp",
        `--repos=${Fs.realpathSync(cwd)}/code`,
        "--allow-writes",
        "--allow-owner=octo",
        "--allow-repo=mona/hello",
        "--dry-run",
        "--confirm=never",
        "--toolsets=git-refs,commits",
        "--structured",
        "--deadline=20",
        "--profile=work"
      ])
    )
  })

  it("prints a server that the client can start", async () => {
    const cwd = temporaryFolder()
    execFileSync("git", ["init", "--quiet", Path.join(cwd, "a b")])
    const { text } = await print("cursor", ["--repos", "a b", "--data", "data"], cwd)
    const { args, command } = JSON.parse(text).mcpServers.tongs
    const client = new Client({ name: "test", version: "1.0.0" })
    const elsewhere = temporaryFolder()
    const env = { PATH: process.env["PATH"] ?? "", HOME: elsewhere }
    await client.connect(new StdioClientTransport({ command, args, cwd: elsewhere, env }))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.length).toBeGreaterThan(1)
  })

  it("prints a command line for claude, which a shell reads back", async () => {
    const { text } = await print("claude", ["--repos", "it's here"])
    const words = execFileSync("sh", ["-c", `for word in ${text.trim()}; do printf '%s\\n' "$word"; done`], {
      encoding: "utf8"
    })
      .trim()
      .split("\n")
    expect(words.slice(0, 10)).toEqual([
      "claude",
      "mcp",
      "add",
      "--transport",
      "stdio",
      "tongs",
      "--",
      program,
      "mcp",
      words[9]
    ])
    expect(words[9]).toMatch(/^--repos=\/.*\/it's here$/)
  })

  it("uses the name on the PATH, except for a client without it", async () => {
    const cwd = temporaryFolder()
    const bin = temporaryFolder()
    Fs.symlinkSync(program, Path.join(bin, "tongs"))
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` }
    expect((await print("codex", [], cwd, env)).text).toBe('[mcp_servers.tongs]\ncommand = "tongs"\nargs = ["mcp"]\n')
    const desktop = JSON.parse((await print("claude-desktop", [], cwd, env)).text)
    expect(desktop.mcpServers.tongs.command).toBe(Path.join(bin, "tongs"))
  })

  it("names the repository of the folder for a client that starts servers elsewhere", async () => {
    const cwd = temporaryFolder()
    execFileSync("git", ["init", "--quiet", cwd])
    const { text } = await print("claude-desktop", [], cwd)
    expect(JSON.parse(text).mcpServers.tongs.args).toEqual(["mcp", `--repos=${Fs.realpathSync(cwd)}`])
  })

  const url = "http://127.0.0.1:4182/mcp"
  const token = "a-token-that-somebody-chose-for-this-test"
  const headers = { Authorization: `Bearer ${token}` }

  it.each(
    sample([
      ["claude", `claude mcp add --transport http tongs ${url} --header 'Authorization: Bearer ${token}'\n`],
      ["codex", `[mcp_servers.tongs]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\n`],
      ["vscode", { servers: { tongs: { type: "http", url, headers } } }],
      ["cursor", { mcpServers: { tongs: { url, headers } } }],
      ["zed", { context_servers: { tongs: { url, headers } } }],
      [
        "claude-desktop",
        {
          mcpServers: {
            tongs: {
              command: "npx",
              args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"],
              env: { AUTHORIZATION: headers.Authorization }
            }
          }
        }
      ]
    ])
  )("prints the HTTP form for %s", async (client, expected) => {
    const { text } = await print(client, ["--http", "4182"], undefined, { TONGS_MCP_TOKEN: token })
    expect(typeof expected === "string" ? text : JSON.parse(text)).toEqual(expected)
  })

  it("says how to get a token that it does not know", async () => {
    const { stderr, text } = await print("claude", ["--http", "4182"])
    expect(text).toContain("'Authorization: Bearer TOKEN'")
    expect(stderr).toMatch(/Replace TOKEN by the token that `tongs mcp --http 4182` prints/)
  })
})

describe("this repository", () => {
  const read = (name: string): unknown => JSON.parse(Fs.readFileSync(Path.join(root, name), "utf8"))

  it("has a server.json for the MCP registry", () => {
    const validate = new Ajv({ allErrors: true }).compile(registrySchema)
    expect(validate(read("server.json")), JSON.stringify(validate.errors)).toBe(true)
    const manifest = read("apps/cli/package.json")
    expect(read("server.json")).toMatchObject({ packages: [{ identifier: Object(manifest).name }] })
    expect(read("server.json")).toMatchObject({
      version: Object(manifest).version,
      packages: [{ version: Object(manifest).version }]
    })
  })

  it.skipIf(!Fs.existsSync(Path.join(root, ".git")))(
    "has an .mcp.json whose command serves this repository",
    async () => {
      const { args, command } = Object(read(".mcp.json")).mcpServers.tongs
      expect(command).toBe("node")
      expect(Fs.existsSync(Path.join(root, args[0]))).toBe(true)
      const client = new Client({ name: "test", version: "1.0.0" })
      const home = temporaryFolder()
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, ...args.slice(1)],
          cwd: root,
          env: { PATH: process.env["PATH"] ?? "", HOME: home, ...compileCache }
        })
      )
      onTestFinished(() => client.close())
      const { content } = await client.callTool({ name: "read_file", arguments: { path: "package.json" } })
      expect(JSON.stringify(content)).toContain("tongs-workspace")
    }
  )
})
