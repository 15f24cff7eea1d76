/** `tongs` commands in processes, with a separate home, over a repository. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests, sample } from "../LongTests.test-support.ts"
import { TIMEOUT, program, removeFolder, httpServer } from "./TongsCommand.test-support.ts"

const COMMITS = 130

let folder: string
let repository: string
let environment: NodeJS.ProcessEnv

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process and the output so far. */
const start = (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {}
) => {
  const child = spawn(command, args, { cwd: options.cwd ?? repository, env: { ...environment, ...options.env } })
  const ended = new Promise<Ran>((resolve) => {
    const written = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text) => (written.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (written.stderr += text))
    child.on("close", (code) => resolve({ code, ...written }))
  })
  child.stdin.end(options.input ?? "")
  return { child, ended }
}

const tongs = (args: ReadonlyArray<string>, options: Parameters<typeof start>[2] = {}) =>
  start(process.execPath, [program, ...args], options).ended

/** A Node of this machine that is older than required. */
const oldNode = (process.env.PATH ?? "")
  .split(Path.delimiter)
  .map((folder) => Path.join(folder, "node"))
  .filter((path) => Fs.existsSync(path))
  .find((path) => /^v(?:1\d|2[0-3])\./.test(execFileSync(path, ["--version"], { encoding: "utf8" })))

const firstLine = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    if (child.stdout === null) return reject(new Error("no stdout"))
    createInterface(child.stdout).once("line", resolve)
    child.once("exit", (code) => reject(new Error(`ended with ${code} before its first line`)))
  })

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-C", repository, "-c", "user.name=Mona Lisa", "-c", "user.email=mona@example.com", ...args], {
    encoding: "utf8",
    env: environment
  }).trim()

beforeAll(() => {
  folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-cli-"))
  repository = Path.join(folder, "hello")
  environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
    GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
    TZ: "UTC"
  }
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository], { env: environment })
  const history = Array.from(
    { length: COMMITS - 1 },
    (_, index) =>
      `commit refs/heads/main\ncommitter Mona Lisa <mona@example.com> ${1_700_000_000 + index} +0000\ndata 8\nStep ${String(index).padStart(3, "0")}\n`
  )
  execFileSync("git", ["-C", repository, "fast-import", "--quiet"], { input: history.join("\n"), env: environment })
  git("reset", "--quiet", "--hard")
  Fs.mkdirSync(Path.join(repository, "src"))
  Fs.writeFileSync(
    Path.join(repository, "src/greet.ts"),
    'export const greet = () => "\u001b[31mahoy\u001b[0m, world"\n'
  )
  Fs.writeFileSync(Path.join(repository, "READ\u202eME.md"), "# Hello\n")
  git("add", ".")
  git("commit", "--quiet", "-m", "Greet \u001b]0;owned\u0007 the \u202eworld")
  git("branch", "feature/\u202ereversed")
  git("tag", "v1")
})

afterAll(() => removeFolder(folder))

const hostile = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

describe("the overview", () => {
  it("is text of at most 80 columns without a terminal, with visible control characters", async () => {
    const { code, stderr, stdout } = await tongs([])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    const head = git("rev-parse", "HEAD").slice(0, 7)
    expect(stdout).toMatch(/^[\w-]+\/hello\n/)
    expect(stdout).toMatch(/^Default branch +main$/m)
    expect(stdout).toMatch(
      new RegExp(`^Head +${head}  Greet ␛\\]0;owned␇ the <U\\+202E>world\\n +Mona Lisa, \\d+ \\w+ ago$`, "m")
    )
    expect(stdout).toMatch(/^Branches +2$/m)
    expect(stdout).toMatch(/^Tags +1$/m)
    expect(stdout).toMatch(/^Files +2$/m)
    expect(stdout).toMatch(/^Budget +no limits$/m)
    expect(stdout).not.toMatch(hostile)
    expect(stdout.split("\n").every((line) => [...line].length <= 80)).toBe(true)
    expect((await tongs(["--plain"])).stdout).toBe(stdout)
  })

  inLongTests(() => {
    it("is JSON with --json", async () => {
      const { code, stdout } = await tongs(["--json"])
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        forge: { kind: "embedded" },
        repository: { default_branch: "main", branches: 2, tags: 1, files: 2, head: { sha: git("rev-parse", "HEAD") } }
      })
    })
  })

  it("shows a demonstration repository outside of repositories, with a notice", async () => {
    const outside = Path.join(folder, "outside")
    Fs.mkdirSync(outside)
    const { code, stdout } = await tongs([], { cwd: outside })
    expect(code).toBe(0)
    expect(stdout.replace(/\s+/g, " ")).toContain("showing a demonstration repository")
  })
})

describe("operations", () => {
  it("read a reference, as text and as JSON", async () => {
    const { stdout } = await tongs(["git-refs", "get", "heads/main"])
    expect(stdout).toBe(`ref          refs/heads/main\nobject.type  commit\nobject.sha   ${git("rev-parse", "main")}\n`)
    const json = await tongs(["git-refs", "get", "heads/main", "--json"])
    expect(JSON.parse(json.stdout)).toMatchObject({ ref: "refs/heads/main", object: { sha: git("rev-parse", "main") } })
  })

  inLongTests(() => {
    it("show branches and files with visible control characters", async () => {
      const branches = await tongs(["branches", "list"])
      expect(branches.stdout).toContain("feature/<U+202E>reversed")
      expect((await tongs(["git-trees", "get", "main"])).stdout).toContain("READ<U+202E>ME.md")
      const file = await tongs(["contents", "get", "src/greet.ts"])
      expect(file.stdout).toContain('greet = () => "␛[31mahoy␛[0m, world"')
      for (const { stdout } of [branches, file]) expect(stdout.replaceAll("\t", "")).not.toMatch(hostile)
    })
  })

  it("list the first page, or up to --limit", async () => {
    const page = await tongs(["commits", "list", "--json"])
    expect(JSON.parse(page.stdout)).toHaveLength(30)
    expect(page.stderr).toContain("--all")
    expect(JSON.parse((await tongs(["commits", "list", "--all", "--json"])).stdout)).toHaveLength(COMMITS)
    expect(JSON.parse((await tongs(["commits", "list", "--limit", "101", "--json"])).stdout)).toHaveLength(101)
  })

  it("write, as git confirms", async () => {
    const at = git("rev-parse", "main~1")
    expect((await tongs(["git-refs", "create", "--ref", "refs/heads/new", "--sha", at])).code).toBe(0)
    expect(git("rev-parse", "new")).toBe(at)
    const again = await tongs(["git-refs", "create", "--ref", "refs/heads/new", "--sha", at])
    expect(again).toMatchObject({ code: 1, stdout: "" })
    expect(again.stderr).toContain("Reference already exists")
    expect(
      await tongs(["git-refs", "update", "heads/new", "--input", "-"], {
        input: `{"sha":"${git("rev-parse", "main")}"}`
      })
    ).toMatchObject({ code: 0 })
    expect(git("rev-parse", "new")).toBe(git("rev-parse", "main"))
    const unasked = await tongs(["git-refs", "delete", "heads/new"])
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")])
    expect(git("rev-parse", "--verify", "new")).toBe(git("rev-parse", "main"))
    expect(await tongs(["git-refs", "delete", "heads/new", "--yes"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Done: delete a reference.\n"
    })
    expect(() => git("rev-parse", "--verify", "--quiet", "new")).toThrow()
  })

  it.skipIf(!hasPrograms("tmux"))("tmux: ask for confirmation before a deletion", async () => {
    git("branch", "unwanted")
    const tmux = (...args: ReadonlyArray<string>) =>
      execFileSync("tmux", ["-S", Path.join(folder, "tmux"), "-f", "/dev/null", ...args], { encoding: "utf8" })
    const shell = [
      "env",
      "-i",
      `HOME=${folder}`,
      `PATH=${process.env.PATH}`,
      "GIT_CONFIG_NOSYSTEM=1",
      "TERM=screen",
      "sh"
    ]
    tmux("new-session", "-d", "-x", "120", "-y", "30", "-c", repository, ...shell)
    onTestFinished(() => void tmux("kill-server"))
    const answer = async (line: string, key: string, code: number) => {
      tmux("send-keys", `clear; ${line}; echo "code=$?"`, "Enter")
      const sees = (text: string | RegExp) =>
        vi.waitFor(() => expect(tmux("capture-pane", "-p")).toMatch(text), { timeout: TIMEOUT, interval: 100 })
      await sees(/^Delete a reference: [\w-]+\/hello heads\/unwanted\? \[y\/N\]/m)
      tmux("send-keys", key, "Enter")
      await sees(new RegExp(`^code=${code}$`, "m"))
    }
    const line = `"${process.execPath}" "${program}" git-refs delete heads/unwanted`
    await answer(line, "n", 1)
    expect(git("branch", "--list", "unwanted")).not.toBe("")
    await answer(line, "y", 0)
    expect(git("branch", "--list", "unwanted")).toBe("")
  })

  it("end silently when stdout closes", async () => {
    const script = `set -o pipefail; "${process.execPath}" "${program}" commits list --all --json | head -1`
    expect(await start("bash", ["-c", script]).ended).toEqual({ code: 0, stdout: "[\n", stderr: "" })
  })

  it("end silently when stdout closes before a prompt", async () => {
    const script = `"${process.execPath}" "${program}" --wizard </dev/null | true; exit "\${PIPESTATUS[0]}"`
    expect(await start("bash", ["-c", script]).ended).toEqual({ code: 0, stdout: "", stderr: "" })
  })

  inLongTests(() => {
    it("exit with their code also when stderr is closed", async () => {
      const script = `"${process.execPath}" "${program}" nonsense 2>&1 | true; exit "\${PIPESTATUS[0]}"`
      expect((await start("bash", ["-c", script]).ended).code).toBe(2)
    })
  })

  inLongTests(() => {
    it.skipIf(!Fs.existsSync("/dev/full"))("report a full disk", async () => {
      const script = `"${process.execPath}" "${program}" users me > /dev/full`
      const { code, stderr } = await start("bash", ["-c", script]).ended
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^tongs: cannot write the output: ENOSPC.*\n$/)])
    })
  })
})

describe("api", () => {
  it("prints the exact bytes of a raw file", async () => {
    const bytes = Buffer.from([0x00, 0xff, 0x0a, 0xfe, 0x7b])
    const sha = execFileSync("git", ["-C", repository, "hash-object", "-w", "--stdin"], {
      input: bytes,
      env: environment,
      encoding: "utf8"
    }).trim()
    const written = Path.join(folder, "raw")
    for (const command of sample([
      `git-blobs get ${sha} --media-type raw`,
      `api repos/{owner}/{repo}/git/blobs/${sha} --media-type raw`,
      `api repos/{owner}/{repo}/git/blobs/${sha} -H 'Accept: application/vnd.service.raw'`
    ])) {
      const { code, stderr } = await start("bash", [
        "-c",
        `"${process.execPath}" "${program}" ${command} > "${written}"`
      ]).ended
      expect([command, code, stderr, Fs.readFileSync(written)]).toEqual([command, 0, "", bytes])
    }
  })

  it("sends a conditional request", async () => {
    const { stdout } = await tongs(["api", "--include", "/user"])
    const [, etag = ""] = /^Etag: (.*)$/m.exec(stdout) ?? []
    const again = await tongs(["api", "/user", "-H", `If-None-Match: ${etag}`])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("304")])
  })

  inLongTests(() => {
    it("fills in the current repository", async () => {
      const { code, stdout } = await tongs(["api", "/repos/{owner}/{repo}/git/ref/heads/main"])
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ ref: "refs/heads/main" })
    })
  })

  it("follows all pages with --paginate", async () => {
    const { stdout } = await tongs(["api", "--paginate", "/repos/{owner}/{repo}/commits"])
    expect(JSON.parse(stdout)).toHaveLength(COMMITS)
  })

  inLongTests(() => {
    it("prints headers with --include, and nothing with --silent", async () => {
      expect((await tongs(["api", "--include", "/user"])).stdout).toMatch(
        /^HTTP\/1\.1 200 OK\n[^]*^Content-Type: application\/json[^]*\r\n\r\n\{/m
      )
      expect(await tongs(["api", "--silent", "/user"])).toEqual({ code: 0, stdout: "", stderr: "" })
    })
  })

  it("prints error responses on stdout, and exits with a code", async () => {
    const { code, stderr, stdout } = await tongs(["api", "/repos/nobody/nothing"])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ message: "Not Found" })
    expect(stderr).toMatch(/^tongs: GET \/repos\/nobody\/nothing: Not Found/)
  })
})

describe("wrong usage", () => {
  it.each(
    sample(
      [
        [["serch", "x"], /Did you mean this\?\s+search/],
        [["git-refs", "gett"], /Did you mean this\?\s+get/],
        [["git-refs", "get", "--onwer", "x"], /Did you mean this\?\s+--owner/],
        [["git-refs", "create"], /Missing: ref, sha\.\nAdd\n {2}--ref/],
        [["commits", "list", "--limit", "0"], /at least 1/],
        [["git-refs", "get", "a", "b", "c"], /Run `tongs git-refs get --help`/],
        [["repositories", "get", "nothing"], /Write it as OWNER\/REPO/],
        [["api", "FETCH", "/x"], /Invalid method/],
        [["serve", "--port", "99999"], /a port from 0 to 65535/],
        [["artifacts", "upload", ".", "--days", "0"], /at least one day/],
        [["--url", "nowhere"], /is not the URL of a forge/],
        [["--plain", "--repos", "/nonexistent"], /No folder at \/nonexistent/],
        [["serve", "--fixtures", "/nonexistent"], /nonexistent/],
        [["serve", "--public-url", "x"], /a URL, for example http/],
        [["serve", "--code-index", "x"], /a URL, for example http/],
        [["serve", "--search-deadline", "-5"], /at least 1/],
        [["--limits", "some"], /off/],
        [["--api-version", "1999-01-01", "--plain"], /Use 2022-11-28/],
        [["api", "/x", "--input", "/nonexistent"], /no such file/],
        [["commits", "list", "--since", "yesterday"], /a timestamp, for example/],
        [["--dialect", "gitlab"], /service/],
        [["mcp", "--toolsets", "nothing"], /Toolsets: .*git-refs/]
      ],
      5
    )
  )("%j exits 2 with a hint", async (args, hint) => {
    const { code, stderr, stdout } = await tongs(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(hint)
  })

  it("of the config file names the file and the error", async () => {
    const config = Path.join(folder, "wrong")
    Fs.mkdirSync(Path.join(config, "tongs"), { recursive: true })
    Fs.writeFileSync(Path.join(config, "tongs/config.json"), '{"profiles":{"default":{"uri":"https://x"}}}')
    const { code, stderr } = await tongs(["--plain"], { env: { XDG_CONFIG_HOME: config } })
    expect(code).toBe(2)
    expect(stderr).toContain(`${config}/tongs/config.json`)
    expect(stderr).toContain("uri")
  })
})

it.skipIf(!Fs.existsSync("/proc/1"))(
  "fails in time if it cannot create its folders, for example in /proc",
  async () => {
    const env = { HOME: "/proc/1", XDG_CACHE_HOME: "", XDG_CONFIG_HOME: "", XDG_DATA_HOME: "", XDG_STATE_HOME: "" }
    expect(await tongs(["--version"], { env })).toEqual({ code: 0, stdout: "tongs 0.1.0\n", stderr: "" })
    const { code, stderr } = await tongs(["--plain"], { env })
    expect(code).not.toBe(0)
    expect(stderr).toContain("/proc/1")
  }
)

it("prints help", async () => {
  expect(await tongs(["--version"])).toEqual({ code: 0, stdout: "tongs 0.1.0\n", stderr: "" })
  expect((await tongs(["--help"])).stdout).toMatch(/SUBCOMMANDS[^]*search[^]*git-refs/)
  expect((await tongs(["git-refs", "update", "--help"])).stdout).toMatch(
    /PATCH \/repos\/:owner\/:repo\/git\/refs\/:ref/
  )
  expect((await tongs(["--completions", "bash"])).stdout).toContain("complete -F _tongs tongs")
  expect((await tongs(["__complete", "tongs git-re"])).stdout).toBe(
    "git-refs\tmatching, get, create, update, delete\n:4\n"
  )
  expect(JSON.parse((await tongs(["openapi"])).stdout)).toMatchObject({ openapi: "3.1.0" })
  const doctor = await tongs(["doctor"])
  expect(doctor).toMatchObject({ code: 0, stderr: "" })
  expect(doctor.stdout).toMatch(/^ok\tgit\t\d/m)
  expect(await tongs(["limits"])).toEqual({ code: 0, stdout: "embedded forge: no limits.\n", stderr: "" })
})

it("prints the path of the owner's token, not the token", async () => {
  const { child, ended } = start(process.execPath, [program, "serve", "--port", "0"])
  const url = await firstLine(child)
  expect((await fetch(`${url}/api/v3/user`)).status).toBe(401)
  child.kill("SIGTERM")
  const { stderr, stdout } = await ended
  expect(stdout).toBe(`${url}\n`)
  const [, file = ""] = /token is in (\S+);/.exec(stderr) ?? []
  expect(stderr).not.toContain(Fs.readFileSync(file, "utf8").trim())
  expect(Fs.statSync(file).mode & 0o777).toBe(0o600)
})

inLongTests(() => {
  it("serves a fixture file, and rejects an invalid one", async () => {
    const file = Path.join(folder, "fixtures.json")
    const token = { token: "of-ada", user: "ada", kind: "classic", scopes: ["repo"] }
    const serve = ["serve", "--json", "--port", "0", "--data", Path.join(folder, "filled"), "--fixtures", file]
    Fs.writeFileSync(file, JSON.stringify({ users: [{ login: "ada" }, { logn: "bob" }], tokens: [token] }))
    const refused = await tongs(serve)
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("users[1]")
    Fs.writeFileSync(file, JSON.stringify({ users: [{ login: "ada" }], tokens: [token] }))
    const { child, ended } = start(process.execPath, [program, ...serve])
    onTestFinished(async () => {
      child.kill("SIGKILL")
      await ended
    })
    const { token: ofOwner, url } = JSON.parse(await firstLine(child))
    const get = async (path: string, token: string): Promise<unknown> =>
      (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    expect(await get("/user", "of-ada")).toMatchObject({ login: "ada" })
    // The working directory is a repository, which must not be adopted.
    expect([await get("/user/repos", "of-ada"), await get("/user/repos", ofOwner)]).toEqual([[], []])
  })
})

it("serves the explorer's page to a browser that opened its link", async () => {
  const { child, ended } = start(process.execPath, [program, "explore", "--port", "0", "--json"])
  const { pid, token, url } = JSON.parse(await firstLine(child))
  expect(pid).toBe(child.pid)
  expect((await fetch(url)).status).toBe(401)
  const exchanged = await fetch(`${url}?token=${token}`, { redirect: "manual" })
  const [cookie = ""] = (exchanged.headers.get("set-cookie") ?? "").split(";")
  const page = await fetch(url, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain("<html")
  child.kill("SIGINT")
  expect((await ended).code).toBe(130)
})

it("reports the ending signal in the exit code", async () => {
  for (const [signal, code] of sample([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)) {
    const { child, ended } = start(process.execPath, [program, "serve", "--port", "0", "--json"])
    await firstLine(child)
    child.kill(signal)
    expect([signal, (await ended).code]).toEqual([signal, code])
  }
})

inLongTests(() => {
  it.skipIf(process.platform !== "linux")("ends together with npm under npm start", async () => {
    const root = Path.join(import.meta.dirname, "../..")
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGHUP", 129]
    ] as const) {
      const args = ["-c", 'npm --silent start -- serve --port 0 --json & trap "" HUP; echo $!; wait $!; exit $?']
      // Builds first if sources have changed, for which npm needs the settings of the user.
      const env = { ...process.env, TONGS_DATA: Path.join(folder, "npm") }
      const { child, ended } = start("bash", args, { cwd: root, env })
      const lines: Array<string> = []
      createInterface(child.stdout).on("line", (line) => lines.push(line))
      const early = ended.then(({ stderr }) => Promise.reject(new Error(`npm start ended: ${stderr}`)))
      await Promise.race([vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: TIMEOUT }), early])
      const [npm = "", forge = ""] = lines
      const { pid } = JSON.parse(forge)
      process.kill(Number(npm), signal)
      expect([signal, (await ended).code]).toEqual([signal, code])
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: TIMEOUT })
    }
  })
})

describe("a remote forge", () => {
  let served: ReturnType<typeof start>
  let forge: { readonly url: string; readonly token: string; readonly pid: number }

  beforeAll(async () => {
    served = start(process.execPath, [program, "serve", "--json", "--port", "0"])
    forge = JSON.parse(await firstLine(served.child))
  })

  afterAll(async () => {
    served.child.kill("SIGKILL")
    await served.ended
  })

  it("takes its credential from the environment", async () => {
    expect(forge.pid).toBe(served.child.pid)
    const { code, stdout } = await tongs(["users", "me", "--json"], {
      env: { TONGS_URL: forge.url, TONGS_TOKEN: forge.token }
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty("login")
  })

  it("defaults to the repository of the git remote", async () => {
    const env = { TONGS_URL: forge.url, TONGS_TOKEN: forge.token }
    const { login } = JSON.parse((await tongs(["users", "me", "--json"], { env })).stdout)
    const clone = Path.join(folder, "clone", "src")
    Fs.mkdirSync(clone, { recursive: true })
    execFileSync("git", ["init", "--quiet", Path.dirname(clone)], { env: environment })
    const about = () => tongs(["api", "repos/{owner}/{repo}"], { cwd: clone, env })
    const without = await about()
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining("the working directory has no git remote")
    ])
    const remote = (url: string) =>
      execFileSync("git", ["-C", clone, "config", "remote.origin.url", url], { env: environment })
    remote(`ssh://git@127.0.0.1:2222/${login}/hello.git`)
    expect(JSON.parse((await about()).stdout).full_name).toBe(`${login}/hello`)
    expect((await tongs(["branches", "list"], { cwd: clone, env })).stdout).toContain("main")
    remote(`git@elsewhere.example:${login}/hello.git`)
    expect((await about()).stderr).toContain("is on elsewhere.example, not on 127.0.0.1")
    expect((await tongs(["api", "repos/{owner}/{repo}", "-R", `${login}/hello`], { cwd: clone, env })).code).toBe(0)
  })

  it("exits 3 without a credential, and with an invalid one", async () => {
    const anonymous = await tongs(["users", "me", "--url", forge.url])
    expect(anonymous.code).toBe(3)
    expect(anonymous.stderr).toContain("tongs auth login")
    expect((await tongs(["users", "me", "--url", forge.url], { env: { TONGS_TOKEN: "wrong" } })).code).toBe(3)
  })

  it("stores the login in a file that only its owner can read", async () => {
    const at = ["--url", forge.url]
    expect((await tongs(["auth", "status", ...at])).code).toBe(3)
    const login = await tongs(["auth", "login", ...at], { input: `${forge.token}\n` })
    expect(login).toMatchObject({ code: 0, stdout: "" })
    expect(login.stderr).not.toContain(forge.token)
    const file = Path.join(folder, ".config/tongs/credentials.json")
    expect(Fs.statSync(file).mode & 0o777).toBe(0o600)
    expect((await tongs(["auth", "status", ...at])).stdout).toMatch(/^Signed in to 127\.0\.0\.1:\d+ as /)
    expect((await tongs(["users", "me", ...at])).code).toBe(0)
    expect((await tongs(["auth", "logout", ...at])).code).toBe(0)
    expect((await tongs(["users", "me", ...at])).code).toBe(3)
  })

  inLongTests(() => {
    it("does not store a token that the forge rejects", async () => {
      expect((await tongs(["auth", "login", "--url", forge.url], { input: "wrong\n" })).code).toBe(3)
      expect((await tongs(["auth", "status", "--url", forge.url])).code).toBe(3)
    })
  })

  it("exits 130 when it is interrupted", async () => {
    served.child.kill("SIGINT")
    expect((await served.ended).code).toBe(130)
  })
})

it.skipIf(oldNode === undefined)("an older Node starts the bundled one", async () => {
  const old = (args: ReadonlyArray<string>) => start(oldNode ?? "", [program, ...args]).ended
  const ref = await old(["git-refs", "get", "heads/main", "--json"])
  expect(ref.stderr).toBe("")
  expect(JSON.parse(ref.stdout).object.sha).toBe(git("rev-parse", "main"))
  expect((await old(["nonsense"])).code).toBe(2)

  const { child, ended } = start(oldNode ?? "", [program, "serve", "--port", "0", "--json"])
  expect(JSON.parse(await firstLine(child)).url).toMatch(/^http/)
  child.kill("SIGTERM")
  expect((await ended).code).toBe(143)
})

it("exits 5 if the rate limit lifts too late, and 1 without a server", async () => {
  const url = await httpServer((_, __, response) => {
    response.writeHead(403, {
      "content-type": "application/json",
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-used": "60",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
      "x-ratelimit-resource": "core"
    })
    response.end('{"message":"API rate limit exceeded"}')
  })
  const limited = await tongs(["users", "me", "--url", url], { env: { TONGS_TOKEN: "x" } })
  expect(limited.code).toBe(5)
  expect(limited.stderr).toMatch(/lifts at \d{4}-/)
  const gone = await tongs(["users", "me", "--url", "http://127.0.0.1:1"], { env: { TONGS_TOKEN: "x" } })
  expect(gone.code).toBe(1)
  expect(gone.stderr).toContain("no answer")
})
