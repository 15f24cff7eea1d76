/** Where the threads of the code index begin. What is from here on is not of Effect, which takes 100 ms to load. */
import { workerData } from "node:worker_threads"
import * as Database from "./sqlite/Database.ts"
import { Reader } from "./sqlite/Reader.ts"
import { Writer } from "./sqlite/Writer.ts"
import * as Verification from "./Verification.ts"
import { Blobs } from "./BlobReader.ts"
import * as Host from "./threads/Host.ts"
import type { ReaderMethods, VerifierMethods, WriterMethods } from "./threads/Methods.ts"
import { serve } from "./threads/Serve.ts"

const start: Host.Start = workerData ?? JSON.parse(process.env[Host.variable] ?? "{}")
const filename = start.filename ?? ""

const write = () => {
  const index = Database.keep(filename, (database) => new Writer(database))
  serve<WriterMethods>({
    open: () => {
      index.use(() => {})
      Database.tidy(filename)
    },
    apply: async (input, { emit, signal }) => {
      try {
        await index.use((writer) => writer.apply({ ...input, signal, tell: emit }))
      } catch (error) {
        index.failed(error)
      }
    }
  })
}

const read = () => {
  const index = Database.keep(filename, (database) => new Reader(database))
  const open = new Map<number, ReturnType<Reader["candidates"]>>()
  const nothing = { candidates: [], left: 0 }
  const next = (cursor: number) => {
    const batch = index.use(() => open.get(cursor)?.next().value) ?? nothing
    if (batch.left === 0) open.delete(cursor)
    return batch
  }
  serve<ReaderMethods>({
    begin: ({ cursor, order, query, scope }) => {
      open.set(
        cursor,
        index.use((reader) => reader.candidates(query, scope, order))
      )
      return next(cursor)
    },
    next: ({ cursor }) => next(cursor),
    end: ({ cursor }) => {
      open.delete(cursor)
    },
    states: ({ repositories }) => index.use((reader) => reader.states(repositories)),
    leftOut: ({ limit, repository }) => index.use((reader) => reader.leftOut(repository, limit))
  })
}

const verify = () => {
  const blobs = new Blobs()
  serve<VerifierMethods>(
    {
      verify: (input, { signal }) => Verification.verify(blobs, input, signal),
      outline: (input) => Verification.outline(blobs, input)
    },
    () => blobs.close()
  )
}

const roles = { reader: read, writer: write, verifier: verify }

roles[start.role]()
