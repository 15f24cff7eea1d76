/** The tools agree with each other and with git about a work tree after random edits. */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import { texts } from "./McpClient.test-support.ts"
import * as TestServer from "./TestServer.test-support.ts"

const editCount = process.env["TONGS_LONG_TESTS"] === undefined ? 40 : 200
const EDITS_PER_CHECK = 20
const SEED = 30

/** Answers of a forge without time, and the call for the next part. */
const shortOfTime = /No definitions found|Results may be missing|had not searched all files/
const morePattern = /More: call again with (\{.*\})$/m

/** Returns numbers from 0 to below a limit, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.realpathSync(Fs.mkdtempSync(join(tmpdir(), "tongs-view-")))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
)

const gitIn =
  (folder: string) =>
  (...args: ReadonlyArray<string>): string =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Mona", "-c", "user.email=mona@example.org", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
    })

/** The text of a file with a unique word and function, by a number that is never used again. */
const source = (number: number) =>
  `// file ${number}\nexport function definition${number}() {\n  return "word${number}"\n}\n`

/** Returns the files that git lists, with the content on disk. */
const onDisk = (folder: string, git: ReturnType<typeof gitIn>): ReadonlyMap<string, string> =>
  new Map(
    git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
      .split("\0")
      .filter((path) => path !== "" && Fs.lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true)
      .map((path) => [path, Fs.readFileSync(join(folder, path), "utf8")] as const)
  )

/**
 * Returns the paths that `git status` lists, except paths whose change was staged and then undone: on disk as in HEAD,
 * or in neither.
 */
const status = (git: ReturnType<typeof gitIn>): ReadonlyArray<string> => {
  const listed = git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all").split("\0")
  const differing = new Set(git("diff", "--name-only", "-z", "--no-renames", "HEAD").split("\0"))
  return listed.flatMap((row) => (row.startsWith("??") || differing.has(row.slice(3)) ? row.slice(3) || [] : []))
}

/** Returns the paths of a list with one line per folder. */
const pathsOf = (listed: string): ReadonlyArray<string> =>
  listed
    .split("\n")
    .flatMap((line) => {
      const [, folder = "", names = ""] = /^(\S*)\/: (.*)$/.exec(line) ?? []
      return names.split(" ").flatMap((name) => (name === "" ? [] : [folder === "" ? name : `${folder}/${name}`]))
    })
    .sort()

it.live(
  `search_code, read_file, symbols, list_files and compare agree with git status after each of ${editCount} random edits`,
  () =>
    Effect.gen(function* () {
      const home = yield* temporaryFolder
      const folder = join(home, "hello")
      Fs.mkdirSync(folder)
      const git = gitIn(folder)
      const random = randomOf(SEED)
      let last = 0
      const write = (path: string, text: string) => {
        Fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
        Fs.writeFileSync(join(folder, path), text)
      }
      git("init", "--quiet", "--initial-branch=main")
      write(".gitignore", "*.ignored\n")
      for (; last < 40; last++) write(`src/d${last % 5}/f${last}.ts`, source(last))
      git("add", ".")
      git("commit", "--quiet", "-m", "first")

      const edit = () => {
        const files = [...onDisk(folder, git)].filter(([path]) => path.endsWith(".ts"))
        const [path = "", text = ""] = files[random(files.length)] ?? []
        const at = join(folder, path)
        const number = last++
        const kind = random(10)
        if (kind === 0) write(`new/d${random(3)}/f${number}.ts`, source(number))
        else if (kind === 1) Fs.rmSync(at)
        else if (kind === 2) {
          const parent = `moved/d${random(3)}`
          Fs.mkdirSync(join(folder, parent), { recursive: true })
          Fs.renameSync(at, join(folder, parent, `f${number}.ts`))
        } else if (kind === 3) Fs.chmodSync(at, (Fs.statSync(at).mode & 0o100) === 0 ? 0o755 : 0o644)
        else if (kind === 4)
          Fs.writeFileSync(at, text.includes("\r") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"))
        else if (kind === 5) git("add", "--all")
        else if (kind === 6)
          git(
            "mv",
            "-f",
            "--",
            git("ls-files", "-z", "*.ts")
              .split("\0")
              .find((one) => Fs.existsSync(join(folder, one))) ?? "",
            `staged${number}.ts`
          )
        else if (kind === 7) git("checkout", "--quiet", "--", ".")
        else if (kind === 8) write(`secret${number}.ignored`, source(number))
        else Fs.writeFileSync(at, random(2) === 0 ? source(number) + text : text + source(number))
      }

      const connection = ConnectionLayer.layer({ cwd: folder, searchesWorkTrees: true, limitsStore: "memory" }).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { HOME: home } })))
      )
      const client = yield* TestServer.connect(connection)
      const callOnce = (name: string, args: Readonly<Record<string, unknown>>) =>
        Effect.map(client.callTool({ name, arguments: args }), (result) => texts(result).join("\n"))
      /** Calls a tool until no note says that time was short, and reads all parts of the answer. */
      const call = Effect.fnUntraced(function* (name: string, args: Readonly<Record<string, unknown>>) {
        let text = yield* callOnce(name, args)
        for (let times = 0; times < 5 && shortOfTime.test(text); times++) text = yield* callOnce(name, args)
        for (let more = morePattern.exec(text); more !== null; more = morePattern.exec(text)) {
          text = text.slice(0, more.index) + (yield* callOnce(name, JSON.parse(more[1] ?? "")))
        }
        return text
      })

      const check = Effect.gen(function* () {
        const files = onDisk(folder, git)
        const changed = status(git)
        const listed = yield* call("list_files", { glob: "**", depth: 10 })
        assert.deepStrictEqual(pathsOf(listed), [...files.keys()].sort(), listed)
        const compared = yield* call("compare", { base: "HEAD" })
        const head = changed.length === 0 ? "without changes" : "changed file"
        for (const text of [listed, compared]) {
          assert.match(text, /^work tree of [\w.-]+\/hello \(main [0-9a-f]{7} /)
          assert.include(text.split("\n")[0], head)
        }
        const [, count] = / and (\d+) changed files?\)/.exec(compared) ?? []
        if (count !== undefined) assert.match(compared, new RegExp(`; ${count} files? `))
        for (const path of changed)
          assert.include(
            compared,
            path.slice(path.lastIndexOf("/") + 1),
            `${path}\n${compared}\n${git("status", "--short")}`
          )
        const entries = [...files].filter(([path]) => path.endsWith(".ts"))
        for (let times = 0; times < 4; times++) {
          const [path = "", text = ""] = entries[random(entries.length)] ?? []
          const lines = text.split(/\r?\n/)
          const read = yield* call("read_file", { path })
          for (const [index, line] of lines.entries())
            if (line !== "") assert.include(read, `${index + 1}\t${line}`, path)
          const outline = yield* call("symbols", { path })
          for (const [, name = ""] of text.matchAll(/function (\w+)/g)) {
            const line = lines.findIndex((one) => one.includes(`function ${name}(`)) + 1
            assert.include(outline, `${line}\tfunction ${name}`, path)
            const found = yield* call("search_code", { query: name })
            assert.match(found, /^work tree of /, `${path}\n${git("status", "--short")}`)
            assert.include(found, path)
            assert.match(found, new RegExp(`^${line}\\b.*${name}`, "m"), found)
            assert.include(yield* call("symbols", { name }), path)
          }
        }
      })

      for (let edits = 1; edits <= editCount; edits++) {
        edit()
        if (edits % EDITS_PER_CHECK === 0) yield* check
      }
      git("reset", "--quiet", "--hard")
      git("clean", "--quiet", "-fdx")
      yield* check
    }),
  300_000
)
