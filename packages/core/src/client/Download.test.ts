import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Scheduler } from "../limits/Scheduler.ts"
import type { DownloadOptions, DownloadPart, DownloadProgress } from "./DownloadOptions.ts"
import * as Stub from "./TransportStub.test-support.ts"

const SIZE = 1_000_000
const file = Uint8Array.from({ length: SIZE }, (_, index) => (index * 7 + (index >> 8)) % 256)

/** A different file of the same length. */
const other = file.map((byte) => byte ^ 255)

const ZIP = "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip"
const artifact = { owner: "o", repo: "r", artifact_id: 7 }

/** The bytes in pieces. The connection breaks after `breaksAfter` bytes. */
const body = (bytes: Uint8Array, breaksAfter = Infinity) => {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= breaksAfter)
        return controller.error(new TypeError("terminated", { cause: new Error("other side closed") }))
      if (at >= bytes.length) return controller.close()
      const piece = bytes.subarray(at, Math.min(at + 50_000, breaksAfter))
      at += piece.length
      controller.enqueue(piece)
    }
  })
}

/** The response of a file host to a range request. */
const partOf = ({ headers }: Stub.Sent, breaksAfter?: number) => {
  const start = Number(/^bytes=(\d+)-$/.exec(headers["range"] ?? "")?.[1] ?? 0)
  if (start >= SIZE) return new Response(null, { status: 416, headers: { "content-range": `bytes */${SIZE}` } })
  const length = { "content-length": String(SIZE - start) }
  return start === 0
    ? new Response(body(file, breaksAfter), { headers: length })
    : new Response(body(file.subarray(start), breaksAfter), {
        status: 206,
        headers: { ...length, "content-range": `bytes ${start}-${SIZE - 1}/${SIZE}` }
      })
}

const toAddress = (address: number) =>
  new Response(null, { status: 302, headers: { location: `/files/${address}?signature=s` } })

/** Downloads from a forge that redirects to a file URL with a new number each time. Gives the result and the requests. */
const download = (
  host: (sent: Stub.Sent, address: number) => Stub.Reply,
  options?: DownloadOptions,
  lead = toAddress
) => run(host, lead, (forge) => Stream.mkUint8Array(forge.download(ZIP, artifact, options)))

type Forge = Effect.Success<ReturnType<typeof Stub.forge>>["forge"]

const run = <A, E>(
  host: (sent: Stub.Sent, address: number) => Stub.Reply,
  lead: typeof toAddress,
  use: (forge: Forge) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    let addresses = 0
    const { forge, sent } = yield* Stub.forge(
      (one) => (one.url.pathname.startsWith("/files/") ? host(one, addresses) : lead(++addresses)),
      { token: Redacted.make("canary") }
    )
    const fiber = yield* Effect.forkChild(Effect.exit(use(forge)))
    for (let second = 0; second < 180; second++) yield* TestClock.adjust("1 second")
    const exit = yield* Fiber.join(fiber)
    return { exit, files: sent.filter(({ url }) => url.pathname.startsWith("/files/")), addresses }
  }).pipe(Effect.provide(Scheduler.layerMemory))

/** Asserts equality without printing the million bytes of a difference. */
const isFile = (exit: Exit.Exit<Uint8Array, unknown>, expected = file) => {
  if (Exit.isFailure(exit)) return assert.fail(String(exit.cause))
  assert.strictEqual(Buffer.compare(exit.value, expected), 0)
}

const failure = (
  exit: Exit.Exit<unknown, { readonly _tag: string; readonly message: string }>
): [tag: string, message: string] => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" ? [error.value._tag, error.value.message] : assert.fail("it succeeded")
}

/** The response of a file host that identifies versions by ETag. */
const versionOf = (sent: Stub.Sent, etag: string, content: Uint8Array, breaksAfter?: number) => {
  const range = Number(/^bytes=(\d+)-$/.exec(sent.headers["range"] ?? "")?.[1] ?? 0)
  const condition = sent.headers["if-range"]
  const start = condition === undefined || condition === etag ? range : 0
  const headers = { etag, "content-length": String(content.length - start) }
  const part = { ...headers, "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }
  return new Response(
    body(content.subarray(start), breaksAfter),
    start === 0 ? { headers } : { status: 206, headers: part }
  )
}

/** Assembles a download by the positions that `onPart` reports. */
const together = (host: (sent: Stub.Sent, address: number) => Stub.Reply, options: DownloadOptions = {}) =>
  Effect.gen(function* () {
    const parts: Array<DownloadPart> = []
    let pieces: Array<Uint8Array> = []
    const onPart = (part: DownloadPart) => {
      parts.push(part)
      if (part.start === 0) pieces = []
    }
    const { exit, files } = yield* run(host, toAddress, (forge) =>
      Stream.runForEach(forge.download(ZIP, artifact, { ...options, onPart }), (piece) =>
        Effect.sync(() => void pieces.push(piece))
      )
    )
    const bytes = Exit.map(exit, () => new Uint8Array(Buffer.concat(pieces)))
    return { exit: bytes, parts, files: files.map(({ headers }) => [headers["range"], headers["if-range"]]) }
  })

describe("Download", () => {
  it.effect("streams the bytes, reports progress, and sends no credential to the file URL", () =>
    Effect.gen(function* () {
      const reports: Array<DownloadProgress> = []
      const { exit, files } = yield* download((sent) => partOf(sent), {
        onProgress: (progress) => reports.push(progress)
      })
      isFile(exit)
      assert.deepStrictEqual(
        [reports[0], reports.at(-1)],
        [
          { received: 50_000, total: SIZE },
          { received: SIZE, total: SIZE }
        ]
      )
      assert.deepStrictEqual(
        files.map(({ headers, url }) => [url.pathname + url.search, headers]),
        [["/files/1?signature=s", { "user-agent": "tongs" }]]
      )
    })
  )

  it.effect("resumes at a new URL after a broken connection", () =>
    Effect.gen(function* () {
      const { addresses, exit, files } = yield* download((sent, address) =>
        partOf(sent, address < 4 ? 300_000 : undefined)
      )
      isFile(exit)
      assert.deepStrictEqual(
        files.map(({ headers }) => headers["range"]),
        [undefined, "bytes=300000-", "bytes=600000-", "bytes=900000-"]
      )
      assert.strictEqual(addresses, 4)
    })
  )

  it.effect("skips known bytes if the host ignores ranges", () =>
    Effect.gen(function* () {
      const whole = (breaksAfter?: number) =>
        new Response(body(file, breaksAfter), { headers: { "content-length": String(SIZE) } })
      const { exit, files } = yield* download((_, address) => whole(address === 1 ? 420_000 : undefined))
      isFile(exit)
      assert.strictEqual(files.length, 2)
    })
  )

  it.effect("starts at the offset, and gives no bytes at the end of the file", () =>
    Effect.gen(function* () {
      isFile((yield* download((sent) => partOf(sent), { offset: 999_000 })).exit, file.subarray(999_000))
      isFile((yield* download((sent) => partOf(sent), { offset: SIZE })).exit, new Uint8Array())
      assert.deepStrictEqual(
        failure((yield* download((sent) => partOf(sent), { offset: SIZE + 1 })).exit)[0],
        "UnexpectedResponse"
      )
    })
  )

  it.effect("requests another URL if the old one has expired or its host fails", () =>
    Effect.gen(function* () {
      for (const status of [403, 503, 429]) {
        const { addresses, exit } = yield* download((sent, address) =>
          address < 3 ? new Response("over", { status }) : partOf(sent)
        )
        isFile(exit)
        assert.strictEqual(addresses, 3)
      }
    })
  )

  it.effect("resumes after a body that ends early", () =>
    Effect.gen(function* () {
      const short = () => new Response(body(file.subarray(0, 700_000)), { headers: { "content-length": String(SIZE) } })
      const { exit, files } = yield* download((sent, address) => (address === 1 ? short() : partOf(sent)))
      isFile(exit)
      assert.strictEqual(files[1]?.headers["range"], "bytes=700000-")
    })
  )

  it.effect("resumes after a host stops sending", () =>
    Effect.gen(function* () {
      const silent = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
      const { exit } = yield* download((sent, address) => (address === 1 ? silent() : partOf(sent)), { timeout: 5000 })
      isFile(exit)
    })
  )

  it.effect("fails after several attempts without progress", () =>
    Effect.gen(function* () {
      const { addresses, exit } = yield* download((sent) => partOf(sent, 0))
      assert.deepStrictEqual(failure(exit), [
        "Unreachable",
        "GET /repos/o/r/actions/artifacts/7/zip: no answer from forge.test (other side closed). Check the URL and the network, then try again."
      ])
      assert.strictEqual(addresses, 5)
      // Ten bytes per attempt do not count as progress.
      assert.strictEqual((yield* download((sent) => partOf(sent, 10))).addresses, 5)
    })
  )

  it.effect("fails at once if the forge reports 410", () =>
    Effect.gen(function* () {
      const { addresses, exit } = yield* download(
        (sent) => partOf(sent),
        {},
        () => Stub.json({ message: "Artifact has expired" }, { status: 410 })
      )
      assert.deepStrictEqual([failure(exit)[0], addresses], ["Gone", 1])
    })
  )

  it.effect("rejects a redirect without a valid URL", () =>
    Effect.gen(function* () {
      for (const headers of [{}, { location: "http://" }, { location: "ftp://forge.test/" }]) {
        const { addresses, exit } = yield* download(
          (sent) => partOf(sent),
          {},
          () => new Response(null, { status: 302, headers })
        )
        assert.deepStrictEqual([failure(exit)[0], addresses], ["UnexpectedResponse", 1])
      }
    })
  )

  it.effect("accepts the file from the forge itself, without a redirect", () =>
    Effect.gen(function* () {
      isFile(
        (yield* download(
          (sent) => partOf(sent),
          {},
          () => new Response(body(file))
        )).exit
      )
      isFile(
        (yield* download(
          (sent) => partOf(sent),
          { offset: 5 },
          () => new Response(body(file))
        )).exit,
        file.subarray(5)
      )
    })
  )

  it.effect("resumes the same version, or restarts if the file has changed", () =>
    Effect.gen(function* () {
      const same = yield* together((sent, address) => versionOf(sent, '"a"', file, address === 1 ? 300_000 : undefined))
      isFile(same.exit)
      assert.deepStrictEqual(same.files, [
        [undefined, undefined],
        ["bytes=300000-", '"a"']
      ])
      const changed = yield* together((sent, address) =>
        address === 1 ? versionOf(sent, '"a"', file, 300_000) : versionOf(sent, '"b"', other)
      )
      isFile(changed.exit, other)
      assert.deepStrictEqual(changed.parts, [
        { start: 0, etag: '"a"' },
        { start: 0, etag: '"b"' }
      ])
      assert.deepStrictEqual(changed.files, same.files)
    })
  )

  it.effect("restarts if the host ignores If-Range", () =>
    Effect.gen(function* () {
      const ignoring = (sent: Stub.Sent) => ({ ...sent, headers: { ...sent.headers, "if-range": '"b"' } })
      const { exit, files } = yield* together((sent, address) =>
        address === 1 ? versionOf(sent, '"a"', file, 300_000) : versionOf(ignoring(sent), '"b"', other)
      )
      isFile(exit, other)
      assert.deepStrictEqual(
        files.map(([range]) => range),
        [undefined, "bytes=300000-", undefined]
      )
    })
  )

  it.effect("restarts without a strong ETag, unless the caller verifies the whole file", () =>
    Effect.gen(function* () {
      for (const etag of [undefined, 'W/"a"']) {
        const host = (sent: Stub.Sent, address: number) => {
          const response = partOf(sent, address === 1 ? 300_000 : undefined)
          if (etag !== undefined) response.headers.set("etag", etag)
          return response
        }
        const { exit, files } = yield* together(host)
        isFile(exit)
        assert.deepStrictEqual(files.flat(), Array<undefined>(4).fill(undefined))
        const verified = yield* together(host, { isVerified: true })
        isFile(verified.exit)
        assert.deepStrictEqual(verified.files[1], ["bytes=300000-", undefined])
      }
      const mirrors = yield* together(
        (sent, address) => versionOf(sent, `"${address}"`, file, address < 3 ? 300_000 : undefined),
        { isVerified: true }
      )
      isFile(mirrors.exit)
      assert.deepStrictEqual(
        mirrors.parts.map(({ start }) => start),
        [0, 300_000, 600_000]
      )
    })
  )

  it.effect("resumes an earlier download of the same version", () =>
    Effect.gen(function* () {
      const rest = yield* together((sent) => versionOf(sent, '"a"', file), { offset: 999_000, etag: '"a"' })
      isFile(rest.exit, file.subarray(999_000))
      assert.deepStrictEqual(rest.parts, [{ start: 999_000, etag: '"a"' }])
      const changed = yield* together((sent) => versionOf(sent, '"b"', other), { offset: 999_000, etag: '"a"' })
      isFile(changed.exit, other)
      // A shorter file cannot have the range, so the file must have changed.
      const short = file.subarray(0, 500_000)
      const shorter = (sent: Stub.Sent) =>
        sent.headers["range"] === undefined
          ? new Response(body(short), { headers: { "content-length": String(short.length) } })
          : new Response(null, { status: 416, headers: { "content-range": `bytes */${short.length}` } })
      isFile((yield* together(shorter, { offset: 999_000, isVerified: true })).exit, short)
    })
  )

  it.effect("fails if the file changes and the caller cannot restart", () =>
    Effect.gen(function* () {
      const { exit } = yield* download((sent, address) =>
        address === 1 ? versionOf(sent, '"a"', file, 300_000) : versionOf(sent, '"b"', other)
      )
      const [tag, message] = failure(exit)
      assert.strictEqual(tag, "UnexpectedResponse")
      assert.include(message, "the file changed during the download")
    })
  )

  it.effect("fails if the file changes on each attempt", () =>
    Effect.gen(function* () {
      const { exit, files } = yield* together((sent, address) => versionOf(sent, `"${address}"`, file, 300_000))
      assert.include(failure(exit)[1], "the file keeps changing")
      assert.lengthOf(files, 5)
    })
  )
})
