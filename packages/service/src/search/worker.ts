/** Entry point of the search workers. Imports no Effect modules, because loading Effect takes 100 ms. */
import { workerData } from "node:worker_threads"
import * as IndexDatabase from "./sqlite/IndexDatabase.ts"
import type { CandidateBatch } from "./CodeIndex.ts"
import { IndexReader } from "./sqlite/IndexReader.ts"
import { IndexWriter } from "./sqlite/IndexWriter.ts"
import * as LogMatching from "./commits/LogMatching.ts"
import * as ContentSearch from "./ContentSearch.ts"
import { BlobReader } from "./BlobReader.ts"
import * as Navigation from "./navigation/Navigation.ts"
import * as WorkerHost from "./workers/WorkerHost.ts"
import type { ReaderMethods, ContentMethods, WriterMethods } from "./workers/WorkerMethods.ts"
import { serve } from "./workers/WorkerServer.ts"

const start: WorkerHost.WorkerStart = workerData ?? JSON.parse(process.env[WorkerHost.VARIABLE] ?? "{}")
const filename = start.filename ?? ""

const write = () => {
  const index = IndexDatabase.makeHandle(filename, (database) => new IndexWriter(database))
  serve<WriterMethods>({
    open: () => {
      index.use(() => {})
      IndexDatabase.removeUnused(filename)
    },
    apply: async (input, { emit, signal }) => {
      try {
        await index.use((writer) => writer.apply({ ...input, signal, onProgress: emit }))
      } catch (error) {
        index.failed(error)
      }
    },
    refine: async (input, { signal }) => {
      try {
        return await index.use((writer) => writer.refine({ ...input, signal }))
      } catch (error) {
        return index.failed(error)
      }
    },
    forget: async (input, { signal }) => {
      try {
        await index.use((writer) => writer.forget({ ...input, signal }))
      } catch (error) {
        index.failed(error)
      }
    }
  })
}

const read = () => {
  const index = IndexDatabase.makeHandle(filename, (database) => new IndexReader(database))
  const open = new Map<number, Iterator<CandidateBatch, undefined>>()
  const nothing = { candidates: [], left: 0 }
  const next = (cursor: number) => {
    const batch = index.use(() => open.get(cursor)?.next().value) ?? nothing
    if (batch.left === 0) open.delete(cursor)
    return batch
  }
  serve<ReaderMethods>({
    begin: async ({ cursor, order, query, targets }, { signal }) => {
      try {
        open.set(cursor, await index.use((reader) => reader.candidates(query, targets, order, signal)))
      } catch (error) {
        index.failed(error)
      }
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

const readContents = () => {
  const blobs = new BlobReader()
  const logs = LogMatching.makeLogs()
  const navigation = Navigation.make(blobs)
  serve<ContentMethods>(
    {
      verify: (input, { signal }) => ContentSearch.searchContents(blobs, input, signal),
      matchNames: ({ names, source }) => {
        const pattern = new RegExp(source, "iu")
        return names.flatMap((name, index) => (pattern.test(name) ? [index] : []))
      },
      outline: (input) => ContentSearch.outline(blobs, input),
      ...navigation,
      renderMarkdown: async ({ mode, text }) => {
        const markdown = await import("../base/Markdown.ts")
        return mode === "markdown" ? markdown.documentHtml(text) : markdown.commentHtml(text)
      },
      beginLog: (input) => logs.begin(input),
      matchLog: (input) => logs.push(input),
      endLog: ({ log }) => logs.end(log)
    },
    () => blobs.close()
  )
}

const roles = { reader: read, writer: write, content: readContents }

roles[start.role]()
