/** Entry point of the search workers. Imports no Effect modules, because loading Effect takes 100 ms. */
import { workerData } from "node:worker_threads"
import { DocumentAnalyzer } from "./sqlite/DocumentAnalyzer.ts"
import { IndexContents } from "./sqlite/IndexContents.ts"
import { IndexWriter } from "./sqlite/IndexWriter.ts"
import * as ObjectSharing from "./sqlite/ObjectSharing.ts"
import { OpenShards } from "./sqlite/OpenShards.ts"
import { ShardReader } from "./sqlite/ShardReader.ts"
import * as TreeDiff from "./sqlite/TreeDiff.ts"
import * as LogMatching from "./commits/LogMatching.ts"
import * as ContentSearch from "./ContentSearch.ts"
import { BlobReader } from "./BlobReader.ts"
import * as HistoryWorker from "./history/HistoryWorker.ts"
import * as Navigation from "./navigation/Navigation.ts"
import * as DocumentText from "./text/DocumentText.ts"
import * as WorkerHost from "./workers/WorkerHost.ts"
import type { AnalyzerMethods, ReaderMethods, ContentMethods, WriterMethods } from "./workers/WorkerMethods.ts"
import { serve } from "./workers/WorkerServer.ts"

const start: WorkerHost.WorkerStart = workerData ?? JSON.parse(process.env[WorkerHost.VARIABLE] ?? "{}")
const data = start.data ?? ""

/** Number of shards that a writer keeps open, and memory for the pages of all of them in kilobytes. */
const MAX_WRITTEN = 2
const WRITE_CACHE_KILOBYTES = 32_768

const write = () => {
  const shards = new OpenShards(data, {
    make: (database) => new IndexWriter(database),
    maxOpen: MAX_WRITTEN,
    cacheKilobytes: WRITE_CACHE_KILOBYTES,
    creates: true
  })
  serve<WriterMethods>({
    measure: async ({ commit, gitDir }, { signal }) => ({
      bytes: await TreeDiff.totalSize(gitDir, commit, DocumentText.MAX_BYTES, signal),
      borrows: ObjectSharing.borrows(gitDir)
    }),
    findSharing: ({ gitDir, others }) => ObjectSharing.find(gitDir, others),
    apply: ({ shard, ...input }, { emit, signal }) =>
      shards.use(shard, (writer) => writer.apply({ ...input, signal, onProgress: emit })),
    maintain: ({ shard }) => shards.use(shard, (writer) => writer.maintain()),
    refine: ({ shard, ...input }, { signal }) => shards.use(shard, (writer) => writer.refine({ ...input, signal })),
    forget: ({ gitDir, shard }, { signal }) => shards.use(shard, (writer) => writer.forget({ gitDir, signal }))
  })
}

const read = () => serve<ReaderMethods>(new ShardReader(data).handlers)

const readContents = () => {
  const blobs = new BlobReader()
  const readers = { blobs, stored: new IndexContents() }
  const logs = LogMatching.makeLogs()
  const navigation = Navigation.make(readers)
  serve<ContentMethods>(
    {
      verify: (input, { signal }) => ContentSearch.searchContents(readers, input, signal),
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

const analyze = () => {
  const analyzer = new DocumentAnalyzer()
  serve<AnalyzerMethods>({ analyze: (files) => analyzer.analyze(files) })
}

const serveHistories = () => {
  const { close, handlers } = HistoryWorker.make(data)
  serve(handlers, close)
}

const roles = { reader: read, writer: write, content: readContents, analyzer: analyze, history: serveHistories }

roles[start.role]()
