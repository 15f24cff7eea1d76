import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { folder } from "../Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"

/** A program in place of git. The arguments for isolation come before ours. */
const program = (code: string) =>
  Effect.map(folder, (path) => {
    const file = join(path, "program")
    writeFileSync(file, `#!/usr/bin/env node\n${code}\n`)
    chmodSync(file, 0o755)
    return { file, path }
  })

const bytes = (text: string) => Buffer.from(text)

const collected = <E>(output: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(output), (chunks) => Buffer.concat([...chunks]).toString())

it.live("streams input and output at the same time, with extra variables and a pipe for both directions", () =>
  Effect.gen(function* () {
    const { file } = yield* program(`
      const fs = require("node:fs")
      process.stdout.write(process.env.GIT_PROTOCOL + "\\n")
      fs.writeSync(3, "ask\\n")
      const answer = Buffer.alloc(100)
      const size = fs.readSync(3, answer)
      process.stdout.write("answer " + answer.subarray(0, size))
      process.stdin.on("data", (chunk) => process.stdout.write("<" + chunk + ">"))`)
    const heard: Array<string> = []
    const output = yield* Effect.gen(function* () {
      const git = yield* Git
      const stream = yield* git.exchange(["x"], {
        input: Stream.make(bytes("one"), bytes("two")),
        environment: { GIT_PROTOCOL: "version=2" },
        onChannel: (channel: Duplex) =>
          channel.on("data", (chunk: Buffer) => {
            heard.push(chunk.toString())
            channel.write("yes\n")
          })
      })
      return yield* collected(stream)
    }).pipe(Effect.provide(Git.layerWith(file)), Effect.scoped)
    assert.deepStrictEqual(heard, ["ask\n"])
    assert.match(output, /^version=2\nanswer yes\n<one>?.*two>$/)
  })
)

it.live("does not read output ahead of a slow consumer", () =>
  Effect.gen(function* () {
    const { file, path } = yield* program(`
      process.stdout.write(Buffer.alloc(64 * 1024 * 1024), () => {
        require("node:fs").writeFileSync(require("node:path").join(__dirname, "written"), "")
      })`)
    const size = yield* Effect.gen(function* () {
      const stream = yield* (yield* Git).exchange(["x"], { input: Stream.empty })
      yield* Effect.sleep("500 millis")
      assert.isFalse(existsSync(join(path, "written")))
      return yield* Stream.runFold(
        stream,
        () => 0,
        (sum, chunk) => sum + chunk.length
      )
    }).pipe(Effect.provide(Git.layerWith(file)), Effect.scoped)
    assert.strictEqual(size, 64 * 1024 * 1024)
  })
)

it.live("ends the process when the scope closes, for a long silence and for an error of the input", () =>
  Effect.gen(function* () {
    const { file } = yield* program(`
      process.stdout.write(String(process.pid))
      setInterval(() => {}, 1000)`)
    const limits = { silenceMillis: 300 }
    const open = (input: Stream.Stream<Uint8Array, GitError>) =>
      Effect.gen(function* () {
        const stream = yield* (yield* Git).exchange(["x"], { input })
        return yield* collected(Stream.take(stream, 1))
      }).pipe(Effect.provide(Git.layerWith(file, limits)), Effect.scoped)
    const pid = Number(yield* open(Stream.never))
    assert.throws(() => process.kill(pid, 0), "ESRCH")

    const whole = (input: Stream.Stream<Uint8Array, GitError>) =>
      Effect.gen(function* () {
        return yield* collected(yield* (yield* Git).exchange(["x"], { input }))
      }).pipe(Effect.provide(Git.layerWith(file, limits)), Effect.scoped, Effect.flip)
    assert.strictEqual((yield* whole(Stream.never)).reason._tag, "TimedOut")
    const error = gitError({ _tag: "InvalidObject", detail: "the body is too large" })
    assert.strictEqual(yield* whole(Stream.concat(Stream.make(bytes("a")), Stream.fail(error))), error)
  })
)

it.live("input keeps a silent command alive, and its exit code is an error", () =>
  Effect.gen(function* () {
    const { file } = yield* program(`
      process.stdin.resume().on("end", () => { process.stderr.write("bad input"); process.exit(3) })`)
    const input = Stream.make(...Array.from({ length: 8 }, (_, index) => bytes(String(index)))).pipe(
      Stream.tap(() => Effect.sleep("100 millis"))
    )
    const error = yield* Effect.gen(function* () {
      return yield* (yield* Git).exchange(["x"], { input })
    }).pipe(Effect.provide(Git.layerWith(file, { silenceMillis: 400 })), Effect.scoped, Effect.flip)
    assert.deepStrictEqual(
      error.reason,
      gitError({ _tag: "CommandFailed", args: ["x"], exitCode: 3, stderr: "bad input" }).reason
    )
  })
)
