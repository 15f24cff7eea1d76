import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Duplex, PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { folder } from "./Fixture.test-support.ts"
import * as ReceiveHook from "./ReceiveHook.ts"

const end = ReceiveHook.makeEnd()

const lines = ["0".repeat(40), "a".repeat(40)]

/** Runs the installed hook as git does. */
const runHook = (root: string, input: string, quarantine?: string) =>
  Effect.gen(function* () {
    const hooks = yield* ReceiveHook.install(root)
    const child = spawn(join(hooks, "pre-receive"), [], {
      env: {
        PATH: process.env["PATH"],
        ...ReceiveHook.environment(end),
        ...(quarantine === undefined ? {} : { GIT_QUARANTINE_PATH: quarantine })
      },
      stdio: ["pipe", "pipe", "pipe", "pipe"]
    })
    child.stdin.end(input)
    const channel = child.stdio[3]
    if (!(channel instanceof Duplex)) return assert.fail("no channel")
    const ended = Promise.all([once(child, "exit").then(([code]): unknown => code), text(child.stderr)])
    return { channel, ended: Effect.promise(() => ended) }
  })

describe("the pre-receive hook", () => {
  it.effect("reports a push, prints the refusal and fails", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const { channel, ended } = yield* runHook(
        root,
        `${lines.join(" ")} refs/heads/a b\n`,
        "/x\n/tmp_objdir-incoming-1"
      )
      assert.deepStrictEqual(yield* ReceiveHook.read(channel, end), {
        process: process.pid,
        quarantine: "tmp_objdir-incoming-1",
        refs: [{ before: lines[0] ?? "", after: lines[1] ?? "", ref: "refs/heads/a b" }]
      })
      yield* ReceiveHook.answer(channel, { isAccepted: false, lines: ["accept", String.raw`no \c %s`, ""] })
      assert.deepStrictEqual(yield* ended, [
        1,
        String.raw`accept
no \c %s

`
      ])
    })
  )

  it.effect("accepts a push of many references without objects", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: ReceiveHook.MAX_REFS }, (_, at) => `${lines.join(" ")} refs/tags/${at}\n`)
      const { channel, ended } = yield* runHook(yield* folder, many.join(""))
      const proposed = yield* ReceiveHook.read(channel, end)
      if (typeof proposed !== "object") return assert.fail(proposed)
      assert.isUndefined(proposed.quarantine)
      assert.lengthOf(proposed.refs, ReceiveHook.MAX_REFS)
      yield* ReceiveHook.answer(channel, { isAccepted: true, lines: [] })
      assert.deepStrictEqual(yield* ended, [0, ""])
    })
  )

  it.effect("refuses a push of too many references", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: ReceiveHook.MAX_REFS + 1 }, (_, at) => `${lines.join(" ")} refs/tags/${at}\n`)
      const { channel, ended } = yield* runHook(yield* folder, many.join(""))
      assert.match(JSON.stringify(yield* ReceiveHook.read(channel, end)), /^"A push can change at most 5000 references/)
      yield* ReceiveHook.answer(channel, { isAccepted: false, lines: [] })
      assert.deepStrictEqual(yield* ended, [1, ""])
    })
  )

  it.effect("reads past empty lines in names, and refuses them", () =>
    Effect.gen(function* () {
      const line = `${lines.join(" ")} refs/heads/a`
      const channel = new PassThrough()
      const read = yield* Effect.forkChild(ReceiveHook.read(channel, end), { startImmediately: true })
      for (const chunk of [`1\n\n${line}\n\n`, `${line}\n${end.slice(0, 9)}`, `${end.slice(9)}\n`]) channel.write(chunk)
      assert.match(JSON.stringify(yield* Fiber.join(read)), /^"The name of a reference contains a line feed/)
    })
  )

  it.effect("fails if the forge ends without an answer", () =>
    Effect.gen(function* () {
      const { channel, ended } = yield* runHook(yield* folder, `${lines.join(" ")} refs/heads/a\n`)
      yield* ReceiveHook.read(channel, end)
      channel.destroy()
      assert.deepStrictEqual(yield* ended, [1, ""])
    })
  )

  it.effect("is installed once, and again if it was modified", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const [one, two] = yield* Effect.all([ReceiveHook.install(root), ReceiveHook.install(root)], { concurrency: 2 })
      assert.strictEqual(one, two)
      writeFileSync(join(one, "pre-receive"), "#!/bin/sh\nexit 0\n")
      chmodSync(join(one, "pre-receive"), 0o755)
      yield* ReceiveHook.install(root)
      const { channel, ended } = yield* runHook(root, `${lines.join(" ")} refs/heads/a\n`)
      yield* ReceiveHook.read(channel, end)
      channel.destroy()
      assert.deepStrictEqual((yield* ended)[0], 1)
    })
  )
})
