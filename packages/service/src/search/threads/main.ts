/** Where the threads of the code index begin. */
import { workerData } from "node:worker_threads"
import * as Database from "../sqlite/Database.ts"
import { Reader } from "../sqlite/Reader.ts"
import { Writer } from "../sqlite/Writer.ts"
import * as Verification from "../Verification.ts"
import { Blobs } from "./Blobs.ts"
import type { ReaderMethods, Threads, VerifierMethods, WriterMethods } from "./Methods.ts"
import { serve } from "./Serve.ts"

const role: keyof Threads = workerData

const unopened = () => new Error("the index is not open")

const write = () => {
  const blobs = new Blobs()
  let writer: Writer | undefined
  serve<WriterMethods>({
    open: ({ filename }) => {
      writer = new Writer(Database.open(filename), blobs)
    },
    apply: async (input, { emit, signal }) => {
      if (writer === undefined) throw unopened()
      await writer.apply({ ...input, signal, tell: emit })
    }
  })
}

const read = () => {
  let reader: Reader | undefined
  let cursors = 0
  const open = new Map<number, ReturnType<Reader["candidates"]>>()
  const opened = () => {
    if (reader === undefined) throw unopened()
    return reader
  }
  const nothing = { candidates: [], left: 0 }
  serve<ReaderMethods>({
    open: ({ filename }) => {
      reader = new Reader(Database.open(filename))
    },
    begin: ({ order, query, scope }) => {
      const cursor = ++cursors
      const batches = opened().candidates(query, scope, order)
      const batch = batches.next().value ?? nothing
      if (batch.left > 0) open.set(cursor, batches)
      return { cursor, batch }
    },
    next: ({ cursor }) => {
      const batch = open.get(cursor)?.next().value ?? nothing
      if (batch.left === 0) open.delete(cursor)
      return batch
    },
    end: ({ cursor }) => {
      open.delete(cursor)
    },
    states: ({ repositories }) => opened().states(repositories),
    leftOut: ({ limit, repository }) => opened().leftOut(repository, limit)
  })
}

const verify = () => {
  const blobs = new Blobs()
  serve<VerifierMethods>({
    verify: (input, { signal }) => Verification.verify(blobs, input, signal),
    outline: (input) => Verification.outline(blobs, input)
  })
}

const roles = { reader: read, writer: write, verifier: verify }

roles[role]()
