/** `tongs explore --clone` against a forge with many repositories, behind a proxy that records the answers. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert } from "@effect/vitest"
import { onTestFinished, vi } from "vitest"
import { git, serve } from "./ForgeProcess.test-support.ts"
import { compileCache, program, sendJson, shell, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

export const token = `ghp_${"clone".repeat(8)}`

export interface RecordedAnswer {
  readonly path: string
  readonly status: number
}

/** Starts a proxy that passes requests on to `target` and records the answers. Answers 404 to `isMissing` paths. */
export const startProxy = async (isMissing: (path: string) => boolean = () => false) => {
  const answers: Array<RecordedAnswer> = []
  let target = ""
  const server = createServer((incoming, response) => {
    const { headers, method, url: path = "" } = incoming
    if (isMissing(path)) return void sendJson(response, 404, { message: "Not Found" })
    const outgoing = request(new URL(path, target), { method, headers }, (answer) => {
      answers.push({ path, status: answer.statusCode ?? 0 })
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    outgoing.on("error", () => response.destroy())
    incoming.pipe(outgoing)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  return { url: `http://127.0.0.1:${port}`, answers, forwardTo: (url: string) => (target = url) }
}

/**
 * Serves an organization `acme` with `count` repositories, every fifth private, with the limits of the specification.
 */
export const serveOrganization = async (count: number) => {
  const root = temporaryFolder()
  const template = join(root, "template.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", template])
  const input = (text: string) =>
    `commit refs/heads/main\ncommitter A <a@b.c> 1700000000 +0000\ndata 1\nx\nM 644 inline a.ts\ndata ${text.length}\n${text}\n`
  git(template, ["fast-import", "--quiet"], input("export const buoyancy = 1"))
  const pathOf = (index: number) => join(root, "sources", `r${index}.git`)
  const indices = Array.from({ length: count }, (_, index) => index)
  for (const index of indices) Fs.cpSync(template, pathOf(index), { recursive: true })
  const empty = join(root, "sources", "empty.git")
  git(root, ["init", "--quiet", "--bare", empty])
  Fs.mkdirSync(join(root, "repos"))
  Fs.writeFileSync(
    join(root, "fixtures.json"),
    JSON.stringify({
      users: [{ login: "ann" }],
      organizations: [{ login: "acme", members: [{ login: "ann", role: "owner" }] }],
      tokens: [{ token: token, user: "ann", kind: "classic", scopes: ["repo", "read:org"] }],
      repositories: [
        ...indices.map((index) => ({ full_name: `acme/r${index}`, git: pathOf(index), private: index % 5 === 0 })),
        { full_name: "acme/empty", git: empty }
      ]
    })
  )
  const proxy = await startProxy()
  const fixtures = ["--fixtures", join(root, "fixtures.json"), "--limits", "spec", "--public-url", proxy.url]
  const forge = await serve(root, ...fixtures)
  proxy.forwardTo(forge.url)
  return { ...proxy, pathOf }
}

export interface CloningExplorer {
  readonly url: string
  readonly stderr: () => string
  readonly kill: (signal: "SIGINT" | "SIGKILL") => Promise<number | null>
  /** Waits for the report of the first run. Returns the report. */
  readonly report: () => Promise<string>
}

/** Starts `tongs explore --clone acme` with a home, and a `git` that records its arguments in `HOME/arguments`. */
export const exploreClone = async (
  home: string,
  url: string,
  ...flags: ReadonlyArray<string>
): Promise<CloningExplorer> => {
  const bin = join(home, "bin")
  Fs.mkdirSync(bin, { recursive: true })
  const wrapper = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${join(home, "arguments")}\nPATH=\${PATH#*:} exec git "$@"\n`
  Fs.writeFileSync(join(bin, "git"), wrapper, { mode: 0o755 })
  const child = spawn(
    process.execPath,
    [program, "--url", url, "explore", "--clone", "acme", "--data", dataOf(home), "--port", "0", "--json", ...flags],
    {
      cwd: home,
      env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: home, TONGS_TOKEN: token, ...compileCache },
      stdio: ["ignore", "pipe", "pipe"]
    }
  )
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  onTestFinished(async () => void (await kill(child, "SIGKILL")))
  const [line] = await once(createInterface(child.stdout), "line")
  return {
    url: JSON.parse(String(line)).url,
    stderr: () => stderr,
    kill: (signal) => kill(child, signal),
    report: async () => {
      await vi.waitFor(() => assert.match(stderr, /received\.|Cannot clone/), { timeout: TIMEOUT, interval: 50 })
      return stderr
    }
  }
}

/** The data folder of `exploreClone`. */
export const dataOf = (home: string): string => join(home, "data")

/** Returns the paths of the files that a code search in the data folder finds. */
export const search = async (home: string, query: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await shell(home).tongs(["search", query, "--json", "--limit", "500", "--data", dataOf(home)])
  const { items }: { readonly items: ReadonlyArray<{ repository: { full_name: string } }> } = JSON.parse(
    stdout.toString()
  )
  return items.map(({ repository }) => repository.full_name).toSorted()
}

/** Returns the number of clones in the data folder. */
export const clonesIn = (home: string): number => {
  const folder = join(dataOf(home), "repositories", "acme")
  return Fs.existsSync(folder) ? Fs.readdirSync(folder).filter((name) => name.startsWith("clone-")).length : 0
}

const kill = async (child: ChildProcess, signal: "SIGINT" | "SIGKILL") => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = once(child, "exit")
  child.kill(signal)
  const [code]: ReadonlyArray<number | null> = await gone
  return code ?? null
}

/** Clones an organization, killed on the way, and checks the clones, the requests and the later runs. */
export const checkOrganization = async (count: number): Promise<void> => {
  const { answers, pathOf, url } = await serveOrganization(count)
  const home = temporaryFolder()

  const killed = await exploreClone(home, url)
  await vi.waitFor(() => assert.isAtLeast(clonesIn(home), count / 4), { timeout: TIMEOUT, interval: 10 })
  await killed.kill("SIGKILL")
  const before = clonesIn(home)
  assert.isBelow(before, count, "killed too late")

  const resumed = await exploreClone(home, url)
  const report = await resumed.report()
  const [, cloned, unchanged, failed] =
    /\((\d+) cloned, \d+ fetched, (\d+) unchanged, (\d+) failed\)/.exec(report) ?? []
  assert.strictEqual(Number(cloned) + Number(unchanged), count + 1, report)
  assert.strictEqual(failed, "0", report)
  assert.isAtLeast(Number(unchanged), before - 4)
  assert.strictEqual(await resumed.kill("SIGINT"), 130)
  assert.deepStrictEqual(
    Fs.readdirSync(join(dataOf(home), "repositories", "acme")).filter((name) => name.startsWith(".new-")),
    []
  )
  assert.deepStrictEqual(
    answers.filter(({ status }) => status >= 400),
    []
  )

  const names = Array.from({ length: count }, (_, index) => `acme/r${index}`).toSorted()
  assert.deepStrictEqual(await search(home, "buoyancy"), names)

  // A later run lists the repositories, and fetches only the one that changed.
  const changed = `commit refs/heads/main\ncommitter A <a@b.c> 1800000000 +0000\ndata 1\ny\nfrom refs/heads/main^0\nM 644 inline b.ts\ndata 8\nharbor()\n`
  git(pathOf(3), ["fast-import", "--quiet"], changed)
  answers.length = 0
  const later = await exploreClone(home, url)
  assert.match(await later.report(), new RegExp(`0 cloned, 1 fetched, ${count} unchanged, 0 failed`))
  await later.kill("SIGINT")
  const repositories = new Set(answers.flatMap(({ path }) => /^\/acme\/([^/]+)\.git\//.exec(path)?.slice(1) ?? []))
  assert.deepStrictEqual([...repositories], ["r3"])
  assert.isAtMost(answers.filter(({ path }) => !path.includes(".git/")).length, 2 + Math.ceil((count + 1) / 100))
  assert.deepStrictEqual(await search(home, "harbor"), ["acme/r3"])

  // The token is in no argument and in no file.
  const secrets = [token, Buffer.from(`x-access-token:${token}`).toString("base64")]
  const recorded = Fs.readFileSync(join(home, "arguments"), "utf8")
  assert.include(recorded, "fetch --progress")
  for (const secret of secrets) assert.notInclude(recorded, secret)
  const files = Fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name, parentPath } of files) {
    const bytes = Fs.readFileSync(join(parentPath, name))
    for (const secret of secrets) assert.isFalse(bytes.includes(secret), join(parentPath, name))
  }
}
