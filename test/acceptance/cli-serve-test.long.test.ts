/** `tongs serve --test`: a forge for the tests of other languages, controlled over HTTP. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, expect, it, onTestFinished } from "vitest"
import { compileCache, program, shell, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

/**
 * Starts the forge with an empty home and a separate folder for temporary files. `line` is the first line of stdout.
 */
const start = async (...flags: ReadonlyArray<string>) => {
  const home = temporaryFolder()
  const temporary = join(home, "tmp")
  mkdirSync(temporary)
  // Neither these settings nor the repository of the working directory may have an effect.
  mkdirSync(join(home, ".config", "tongs"), { recursive: true })
  writeFileSync(join(home, ".config", "tongs", "config.json"), "not JSON")
  const child = spawn(process.execPath, [program, "serve", "--test", "--port", "0", ...flags], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env["PATH"], HOME: home, TMPDIR: temporary, TONGS_URL: "http://127.0.0.1:1", ...compileCache }
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const errors: Array<string> = []
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text))
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => Promise.reject(new Error(errors.join(""))))
  ])
  return { child, home, line: String(line), temporary }
}

const exitOf = async (child: ChildProcess) => {
  const [code] = await once(child, "exit")
  return code
}

const isEmpty = ({ home, temporary }: { readonly home: string; readonly temporary: string }) =>
  readdirSync(temporary).length === 0 && !existsSync(join(home, ".local")) && !existsSync(join(home, ".cache"))

it("serves a bot's test from another process", { timeout: TIMEOUT }, async () => {
  const started = await start("--json")
  const { pid, token, url } = JSON.parse(started.line)
  assert.strictEqual(pid, started.child.pid)
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
  }
  const statusOf = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status

  const repository = await post("/_test/commit", { fullName: "acme/web", files: { "README.md": "hi" } })
  await post("/_test/branch", { fullName: "acme/web", name: "fix" })
  assert.strictEqual(await statusOf("/repos/acme/web/branches/fix"), 200)

  const route = "POST /repos/{owner}/{repo}/git/refs"
  await post("/_test/fail", { route, status: 502, times: 1 })
  const create = () => post("/repos/acme/web/git/refs", { ref: "refs/heads/new", sha: repository.json.commits[0] })
  assert.strictEqual((await create()).status, 502)
  assert.strictEqual((await create()).status, 201)
  const log = await (await fetch(`${url}/_test/requests?${new URLSearchParams({ route })}`)).json()
  expect(log).toMatchObject([{ status: 502 }, { status: 201 }])

  await post("/_test/milestone", { fullName: "acme/web", title: "First", dueOn: "2030-01-31T12:00:00Z" })
  await post("/_test/label", { fullName: "acme/web", name: "urgent", color: "ff0000" })
  const labels = ["urgent"]
  const issue = await post("/_test/issue", { fullName: "acme/web", title: "Broken", labels, milestone: "First" })
  await post("/_test/comment", { fullName: "acme/web", issue: issue.json.number, body: "Where?" })
  expect(await (await fetch(`${url}/repos/acme/web/issues/${issue.json.number}`)).json()).toMatchObject({
    id: issue.json.id,
    comments: 1,
    labels: [{ name: "urgent", color: "ff0000" }],
    milestone: { title: "First", due_on: "2030-01-31T12:00:00Z" }
  })

  await post("/_test/limit", { remaining: 1 })
  assert.deepStrictEqual([await statusOf("/user"), await statusOf("/user")], [200, 403])
  await post("/_test/clock/advance", { duration: "61 minutes" })
  assert.strictEqual(await statusOf("/user"), 200)

  await post("/_test/reset", {})
  assert.strictEqual(await statusOf("/repos/acme/web"), 404)
  // The repository of the working directory is not adopted.
  expect(await (await fetch(`${url}/users/owner/repos`)).json()).toEqual([])

  assert.strictEqual(readdirSync(started.temporary).length, 1)
  await post("/_test/hang", { route: "GET /user" })
  const hanging = expect(statusOf("/user")).rejects.toThrow()
  started.child.kill("SIGINT")
  assert.strictEqual(await exitOf(started.child), 130)
  await hanging
  assert.isTrue(isEmpty(started))
})

it("prints the URL and the token in one line, and ends with stdin", { timeout: TIMEOUT }, async () => {
  const started = await start("--exit-on-stdin-close", "--limits", "spec", "--dialect", "service")
  const [url = "", token = ""] = started.line.split(" ")
  const response = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${token}` } })
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers.get("x-ratelimit-limit"), "5000")
  started.child.stdin.end()
  assert.strictEqual(await exitOf(started.child), 0)
  assert.isTrue(isEmpty(started))
})

it("needs --test for the operations", { timeout: TIMEOUT }, async () => {
  const { home, tongs } = shell()
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--json"], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, ...compileCache }
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [line] = await once(createInterface(child.stdout), "line")
  assert.strictEqual((await fetch(`${JSON.parse(String(line)).url}/_test`)).status, 404)
  const { code, stderr } = await tongs(["serve", "--seed", "2"])
  assert.deepStrictEqual([code, stderr.split("\n")[0]], [2, "tongs: --seed needs --test."])
})

it.each([
  [["--data", "x", "--fixtures", "f.json"], "--test cannot be combined with --fixtures, --data."],
  [["--repos", "x"], "--test cannot be combined with --repos."],
  [["--host", "0.0.0.0"], "--test cannot listen on 0.0.0.0."]
])("refuses %j", { timeout: TIMEOUT }, async (flags, message) => {
  const { code, stderr } = await shell().tongs(["serve", "--test", ...flags])
  assert.deepStrictEqual([code, stderr.split("\n")[0]], [2, `tongs: ${message}`])
})

it("names an unusable folder for temporary files", { timeout: TIMEOUT }, async () => {
  const { code, stderr } = await shell().tongs(["serve", "--test", "--port", "0"], { env: { TMPDIR: "/nonexistent" } })
  assert.strictEqual(code, 2)
  assert.match(stderr, /^tongs: Cannot create a temporary folder: .*\nSet TMPDIR to a folder/)
})
