import { createServer, type IncomingMessage, request } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SentChunks from "./SentChunks.ts"

/** Less than Node buffers before pausing a pipe, so that several chunks wait at once. */
const CHUNK_SIZE = 16 * 1024

/** Large enough to fill all buffers if the client does not read. */
const COUNT = 1600

const chunkOf = (at: number) => Buffer.from(new ArrayBuffer(CHUNK_SIZE)).fill(at % 251)

/** Sends the chunks to a client that sometimes pauses. Returns what the client received. */
const send = async (chunks: ReadonlyArray<Buffer>) => {
  const server = createServer((_, response) => {
    const source = Readable.from(chunks, { highWaterMark: 8 })
    SentChunks.free(source, response)
    void pipeline(source, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port }, resolve).on("error", reject).end()
    })
    const received: Array<Buffer> = []
    for await (const chunk of response) {
      received.push(chunk)
      if (received.length % 100 === 1) await setTimeout(20)
    }
    return Buffer.concat(received)
  } finally {
    server.close()
  }
}

it.effect("frees the chunks that are sent, and sends all of them unchanged", () =>
  Effect.gen(function* () {
    const chunks = Array.from({ length: COUNT }, (_, at) => chunkOf(at))
    const received = yield* Effect.promise(() => send(chunks))
    const expected = Buffer.concat(Array.from({ length: COUNT }, (_, at) => chunkOf(at)))
    assert.isTrue(received.equals(expected))
    const freed = chunks.filter(({ length }) => length === 0).length
    // The last chunks are not freed, and a few wait for the client.
    assert.isAbove(freed, COUNT / 2)
  })
)

it.effect("does not free a chunk that shares its memory", () =>
  Effect.gen(function* () {
    const shared = Buffer.from(new ArrayBuffer(COUNT * CHUNK_SIZE)).fill(7)
    const chunks = Array.from({ length: COUNT }, (_, at) => shared.subarray(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE))
    yield* Effect.promise(() => send(chunks))
    assert.strictEqual(shared.length, COUNT * CHUNK_SIZE)
  })
)
