/** The terminal UI and a forge that fails: loaded rows stay, the reason is shown, and no key is needed afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { request } from "node:http"
import * as Effect from "effect/Effect"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { inLongTests } from "../LongTests.test-support.ts"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { httpServer } from "./TongsCommand.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

/** Maximum number of seconds from the return of the forge to the right screen. */
const MAX_SECONDS = 10

const rows = ["commit one", "commit two"]

const PROBLEM = "! The forge does not respond"

/** Starts a forge in a separate process, over a repository with three commits. */
const startForge = Effect.gen(function* () {
  const root = ForgeProcess.temporaryFolder()
  const path = ForgeProcess.createCommits(root, 1)
  const commit = (subject: string) => {
    const id = ForgeProcess.git(path, ["commit-tree", "-p", "main", "-m", subject, "main^{tree}"])
    ForgeProcess.git(path, ["update-ref", "refs/heads/main", id])
  }
  for (const row of rows) commit(row)
  const forge = yield* Effect.promise(() => ForgeProcess.serve(root))
  return { root, forge, commit }
})

/** Starts the terminal UI at the second row of the log. */
const startLog = Effect.fnUntraced(function* (url: string, token: string) {
  const shell = yield* TuiTerminal.start({ columns: 100, environment: { TONGS_URL: url, TONGS_TOKEN: token } })
  yield* shell.waitFor("Your repositories  1", "/long")
  shell.keys("Enter")
  yield* shell.waitFor(...rows, "1/3 commits")
  shell.keys("j")
  yield* shell.waitFor("2/3 commits")
  return shell
})

/** Asserts that the screen becomes right without a key, and keeps the selected row. */
const recovers = Effect.fnUntraced(function* (shell: TuiTerminal.TuiTerminal) {
  const returned = Date.now()
  const screen = yield* shell.waitUntil(
    "the new commit",
    (screen) => screen.includes("made meanwhile") && screen.includes("3/4 commits") && !/! |no response/.test(screen)
  )
  for (const row of rows) assert.include(screen, row)
  assert.isAtMost((Date.now() - returned) / 1_000, MAX_SECONDS)
})

/** Starts a server that forwards requests. Requests during a hang never have a response, also not later. */
const startHangingProxy = Effect.fnUntraced(function* (target: string) {
  let isHanging = false
  let hanging = 0
  const url = yield* Effect.promise(() =>
    httpServer(({ headers, method = "", url = "" }, _body, response) => {
      if (isHanging) return void hanging++
      const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      forwarded.on("error", () => response.destroy()).end()
    })
  )
  return { url, hang: (value: boolean) => void (isHanging = value), hanging: () => hanging }
})

describe.skipIf(!hasPrograms("tmux"))("recovery in a terminal (needs tmux)", () => {
  it.live("after the forge was killed and started again", () =>
    Effect.gen(function* () {
      const { commit, forge, root } = yield* startForge
      const shell = yield* startLog(forge.url, forge.token)
      yield* Effect.promise(() => forge.kill("SIGKILL"))
      shell.keys("r")
      const failed = yield* shell.waitFor(PROBLEM, "next attempt in", "2/3 commits")
      for (const row of rows) assert.include(failed, row)
      commit("made meanwhile")
      yield* Effect.promise(() => ForgeProcess.serveAt(Number(new URL(forge.url).port), root))
      yield* recovers(shell)
    }).pipe(Effect.scoped)
  )

  inLongTests(() => {
    it.live("after the forge was stopped and continued", () =>
      Effect.gen(function* () {
        const { commit, forge } = yield* startForge
        const shell = yield* startLog(forge.url, forge.token)
        process.kill(forge.pid, "SIGSTOP")
        shell.keys("r")
        const slow = yield* shell.waitFor("no response yet", "2/3 commits")
        for (const row of rows) assert.include(slow, row)
        const failed = yield* shell.waitFor(PROBLEM, "next attempt in", "2/3 commits")
        for (const row of rows) assert.include(failed, row)
        commit("made meanwhile")
        process.kill(forge.pid, "SIGCONT")
        yield* recovers(shell)
      }).pipe(Effect.scoped)
    )
  })

  it.live("after the forge lost a request, and responds to the next ones", () =>
    Effect.gen(function* () {
      const { commit, forge } = yield* startForge
      const proxy = yield* startHangingProxy(forge.url)
      const shell = yield* startLog(proxy.url, forge.token)
      proxy.hang(true)
      shell.keys("r")
      yield* shell.waitUntil("the lost request", () => proxy.hanging() > 0)
      commit("made meanwhile")
      proxy.hang(false)
      yield* recovers(shell)
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!hasPrograms("tmux"))("keys in a terminal (needs tmux)", () => {
  it.live("handles several keys that arrive at once", () =>
    Effect.gen(function* () {
      const shell = yield* TuiTerminal.start({ columns: 100, args: ["--demo"] })
      yield* shell.waitFor("1/11 commits")
      shell.bytes("jj")
      yield* shell.waitFor("3/11 commits")
      shell.bytes("gg")
      yield* shell.waitFor("1/11 commits")
      shell.bytes("jj\u0004")
      yield* shell.waitFor("11/11 commits")
    }).pipe(Effect.scoped)
  )
})
