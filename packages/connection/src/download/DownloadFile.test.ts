import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import * as DownloadFile from "./DownloadFile.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-download-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const bytesOf = (text: string) => new TextEncoder().encode(text)
const digestOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`

type Asked = Parameters<DownloadFile.DownloadSource<never>["bytes"]>[0]

/** A source whose bytes `answer` gives, and the options of its calls. */
const source = (
  answer: (asked: Asked) => Stream.Stream<Uint8Array, string>,
  given: Partial<DownloadFile.DownloadSource<string>> = {}
) => {
  const asked: Array<Omit<Asked, "onPart">> = []
  const bytes = (options: Asked) => {
    const { onPart: _, ...rest } = options
    asked.push(rest)
    return answer(options)
  }
  return { asked, source: { request: "GET /file", file: "file", size: undefined, digest: undefined, ...given, bytes } }
}

/** The bytes of a version from the requested offset, followed by `then`. */
const part = (
  text: string,
  etag: string | undefined,
  then: Stream.Stream<Uint8Array, string> = Stream.empty
): ((asked: Asked) => Stream.Stream<Uint8Array, string>) => {
  return ({ offset = 0, onPart }) =>
    Stream.suspend(() => {
      onPart?.({ start: offset, etag })
      return Stream.concat(Stream.make(bytesOf(text.slice(offset))), then)
    })
}

const broken = Stream.fail("it broke")

describe("a file without a digest", () => {
  it.effect("resumes by its version", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "file")
      const first = source(part("one ", '"a"', broken))
      assert.strictEqual(yield* Effect.flip(DownloadFile.save(first.source, path)), "it broke")
      const second = source(part("one two", '"a"'))
      const saved = yield* DownloadFile.save(second.source, path)
      assert.deepStrictEqual(second.asked, [{ offset: 4, etag: '"a"', isVerified: false }])
      assert.deepStrictEqual(saved, { size: 7, digest: digestOf("one two"), resumed: 4 })
      assert.strictEqual(readFileSync(path, "utf8"), "one two")
      assert.deepStrictEqual(readdirSync(root), ["file"])
    })
  )

  it.effect("starts over if the file changed before or after the interruption", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "file")
      yield* Effect.flip(DownloadFile.save(source(part("a longer one ", '"a"', broken)).source, path))
      const { source: changed } = source(({ onPart }) =>
        Stream.suspend(() => {
          onPart?.({ start: 0, etag: '"b"' })
          const rest = Stream.suspend(() => {
            onPart?.({ start: 0, etag: '"c"' })
            return Stream.make(bytesOf("th"), bytesOf("ree"))
          })
          return Stream.concat(Stream.make(bytesOf("two")), rest)
        })
      )
      const saved = yield* DownloadFile.save(changed, path)
      assert.deepStrictEqual(saved, { size: 5, digest: digestOf("three"), resumed: 0 })
      assert.strictEqual(readFileSync(path, "utf8"), "three")
    })
  )

  it.effect("replaces the earlier content with an empty file", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      yield* Effect.flip(DownloadFile.save(source(part("one", '"a"', broken)).source, path))
      const { source: empty } = source(({ onPart }) =>
        Stream.suspend(() => {
          onPart?.({ start: 0, etag: '"b"' })
          return Stream.empty
        })
      )
      assert.strictEqual((yield* DownloadFile.save(empty, path)).size, 0)
      assert.strictEqual(readFileSync(path, "utf8"), "")
    })
  )

  it.effect("keeps no partial file if the host names no version", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* Effect.flip(DownloadFile.save(source(part("one", undefined, broken)).source, join(root, "file")))
      assert.deepStrictEqual(readdirSync(root), [])
    })
  )

  it.effect("does not resume from another or an unknown file", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      writeFileSync(`${path}.partial`, "whatever")
      const first = source(part("one", '"a"', broken))
      yield* Effect.flip(DownloadFile.save(first.source, path))
      const second = source(part("two", '"a"'), { file: "another" })
      yield* DownloadFile.save(second.source, path)
      for (const { asked } of [first, second]) assert.deepStrictEqual(asked, [{ offset: 0, isVerified: false }])
      assert.strictEqual(readFileSync(path, "utf8"), "two")
    })
  )
})

describe("a file with a digest", () => {
  const digest = digestOf("one two")

  it.effect("resumes from any partial file and starts over if it was wrong", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      for (const [there, resumed, times] of [
        ["one ", 4, 1],
        ["two ", 0, 2],
        ["longer than it is", 0, 1]
      ] as const) {
        // rows
        writeFileSync(`${path}.partial`, there)
        const { asked, source: given } = source(part("one two", '"a"'), { digest, size: 7 })
        const saved = yield* DownloadFile.save(given, path)
        assert.deepStrictEqual([saved.resumed, saved.digest, asked.length], [resumed, digest, times])
        assert.isTrue(asked[0]?.isVerified)
      }
    })
  )

  it.effect("records no version for downloads that do not verify", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      yield* Effect.flip(DownloadFile.save(source(part("one ", '"a"', broken)).source, path))
      yield* Effect.flip(DownloadFile.save(source(part("two two", '"b"', broken), { digest }).source, path))
      const { asked, source: unverified } = source(part("one two", '"a"'))
      yield* DownloadFile.save(unverified, path)
      assert.deepStrictEqual(asked, [{ offset: 0, isVerified: false }])
    })
  )

  it.effect("is downloaded once more if its parts do not match", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "file")
      let count = 0
      const mixed = source(
        (asked) => {
          count += 1
          return count > 1
            ? part("one two", '"b"')(asked)
            : part(
                "one ",
                '"a"',
                Stream.suspend(() => part("....xxx", '"b"')({ ...asked, offset: 4 }))
              )(asked)
        },
        { digest }
      )
      assert.strictEqual((yield* DownloadFile.save(mixed.source, path)).digest, digest)
      const wrong = source(part("another", '"a"'), { digest })
      const error = yield* Effect.flip(DownloadFile.save(wrong.source, join(root, "wrong")))
      assert.include(String(error), `${digestOf("another")}, expected ${digest}`)
      assert.lengthOf(wrong.asked, 1)
      assert.deepStrictEqual(readdirSync(root), ["file"])
    })
  )
})

it.effect("locks the file, and leaves it to the next process after an interruption", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const path = join(root, "file")
    const isWritten = yield* Deferred.make<void>()
    const stuck = Stream.drain(Stream.fromEffect(Effect.andThen(Deferred.succeed(isWritten, undefined), Effect.never)))
    const first = yield* Effect.forkChild(DownloadFile.save(source(part("one ", '"a"', stuck)).source, path))
    yield* Deferred.await(isWritten)
    const second = source(part("one two", '"a"'))
    const error = yield* Effect.flip(DownloadFile.save(second.source, path))
    assert.include(String(error), `Another process is saving to ${path}`)
    assert.deepStrictEqual([second.asked, existsSync(`${path}.partial`)], [[], true])
    yield* Fiber.interrupt(first)
    assert.strictEqual((yield* DownloadFile.save(second.source, path)).resumed, 4)
    assert.deepStrictEqual(readdirSync(root), ["file"])
  })
)

it.effect("replaces an invalid lock file", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const path = join(root, "file")
    writeFileSync(`${path}.partial.lock`, "this is no lock at all ".repeat(100))
    assert.strictEqual((yield* DownloadFile.save(source(part("one", '"a"')).source, path)).size, 3)
    assert.deepStrictEqual(readdirSync(root), ["file"])
  })
)

it.effect("replaces regular files only", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const { asked, source: given } = source(part("one", undefined))
    assert.include(String(yield* Effect.flip(DownloadFile.save(given, root))), `Not a regular file: ${root}`)
    assert.deepStrictEqual(asked, [])
  })
)
