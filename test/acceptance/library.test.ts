/** The packed library in a program with only the files of the package. */
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"

const library = join(import.meta.dirname, "../../packages/client")
const run = promisify(execFile)

let project = ""

/** Maximum length of a line, and of all output for an uncaught failure (characters). */
const MAX_LINE = 4_000
const MAX_PRINTED = 2_000

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "tongs-library-"))
  execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: library })
  const tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? ""
  const installed = join(project, "node_modules/@tongs/client")
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", join(project, tarball), "-C", installed, "--strip-components=1"])
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }))
}, 120_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe("an uncaught failure", () => {
  for (const flags of [[], ["--enable-source-maps"]]) {
    it(`prints a short message with the line of the call ${flags.join(" ")}`, async () => {
      const server = createServer((_, response) => {
        response.writeHead(404, { "content-type": "application/json" }).end('{"message":"Not Found"}')
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- of a TCP server
      const script = join(project, "read-main.js")
      writeFileSync(
        script,
        `import { createForge } from "@tongs/client"
const forge = createForge({ baseUrl: "http://127.0.0.1:${port}" })
const readMain = async () => (await forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/none" })).object.sha
console.log(await readMain())
`
      )
      const ran = await run(process.execPath, [...flags, script]).catch((error: unknown) => error)
      expect(ran).toMatchObject({ code: 1, stdout: "" })
      const stderr = String(Object(ran).stderr)
      expect(stderr.length).toBeLessThan(MAX_PRINTED)
      expect(stderr).toContain("NotFound: GET /repos/octo/hello/git/ref/heads%2Fnone: Not Found.")
      expect(stderr).toMatch(/at readMain \(\S*read-main\.js:3:\d+\)/)
    })
  }
})

it("has readable lines, and a source map for each file with code", () => {
  const dist = join(project, "node_modules/@tongs/client/dist")
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" })
  // The runtime of the bundler has no source.
  const chunks = files.filter((name) => /^(chunks\/.*|index)\.js$/.test(name) && !name.includes("rolldown-runtime"))
  expect(chunks.length).toBeGreaterThan(1)
  for (const name of chunks) {
    // Imports and exports between chunks are one line each and hold no code.
    const lines = readFileSync(join(dist, name), "utf8")
      .split("\n")
      .filter((line) => !/^(import|export) \{/.test(line))
    expect(Math.max(...lines.map((line) => line.length)), name).toBeLessThan(MAX_LINE)
    expect(files).toContain(`${name}.map`)
  }
})

/** The Node of this test, and the Node of the machine, which can be older. */
const nodes = [process.execPath, "/usr/bin/node"].filter((node) => existsSync(node))

it.each(nodes)("is required from CommonJS with %s", async (node) => {
  const { stdout: version } = await run(node, ["--print", "process.versions.node"])
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major < 20 || (major === 20 && minor < 19)) return
  const script = join(project, "required.cjs")
  writeFileSync(script, `console.log(typeof require("@tongs/client").createForge)`)
  expect(await run(node, [script])).toEqual({ stdout: "function\n", stderr: "" })
})
