/** Keeps the number of segments small, and what nobody uses out of them. */
import { existsSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as Postings from "./Postings.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import type { WriterLease } from "./WriterLease.ts"

/** Documents outside segments, and small segments, that are kept at most; and what a small segment is. */
const maxFresh = 1_000
const maxSmall = 12
const smallSegment = 5_000

/** Terms of fresh documents that are held at a time. */
const settledTerms = 4_000_000

/** Documents that no file has, at least, and as a part of all, at which they are cleared away. */
const maxDead = 2_000
const deadShare = 0.4

export const maintain = (database: DatabaseSync, lease: WriterLease): void => {
  const count = (of: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${of}`).get()?.n)
  const isSettling = count("fresh") > maxFresh
  if (isSettling) {
    lease.transaction(() => {
      settleFresh(database)
      forgetGone(database)
    })
  }
  // Counting the dead takes long, and there are not many more soon.
  const dead = isSettling ? count(deadDocuments) : 0
  const isDue = dead > maxDead && dead > deadShare * count("documents")
  const merged = isDue ? segments(database) : segments(database).filter(({ count }) => count <= smallSegment)
  if (isDue) lease.transaction(() => merge(database, merged, isAlive(database)))
  else if (merged.length > maxSmall) lease.transaction(() => merge(database, merged, () => true))
}

export const segments = (database: DatabaseSync): ReadonlyArray<Postings.Segment> =>
  database
    .prepare("SELECT id, first, count FROM segments ORDER BY first")
    .all()
    .map((row) => ({ id: Number(row.id), first: Number(row.first), count: Number(row.count) }))

const settleFresh = (database: DatabaseSync): void => {
  const builder = new SegmentBuilder(settledTerms)
  for (const row of database.prepare("SELECT document, terms FROM fresh ORDER BY document").all()) {
    const terms = readTerms(row.terms)
    if (!builder.hasRoom(terms)) builder.write(database)
    builder.add(Number(row.document), terms)
  }
  builder.write(database)
  database.exec("DELETE FROM fresh")
}

/** Repositories that are nowhere any more. One that comes back, as with a disk, is indexed again. */
const forgetGone = (database: DatabaseSync): void => {
  const rows = database.prepare("SELECT id, git_dir FROM repositories").all()
  const removals = ["files WHERE repository", "unreadable WHERE repository", "repositories WHERE id"].map((rows) =>
    database.prepare(`DELETE FROM ${rows} = ?`)
  )
  for (const { git_dir, id } of rows) {
    if (!existsSync(String(git_dir))) for (const removal of removals) removal.run(Number(id))
  }
}

/** As the table `fresh` has them: ascending. */
export const writeTerms = (terms: Uint32Array): Uint8Array => Postings.encodeDistances(terms, -1)

export const readTerms = (bytes: unknown): Uint32Array => {
  const terms: Array<number> = []
  if (bytes instanceof Uint8Array) Postings.forEachDistance(bytes, -1, (term) => terms.push(term))
  return Uint32Array.from(terms)
}

const deadDocuments = "documents WHERE id NOT IN (SELECT document FROM files)"

const isAlive = (database: DatabaseSync): ((document: number) => boolean) => {
  database.exec(`DELETE FROM ${deadDocuments}`)
  database.exec("DELETE FROM fresh WHERE document NOT IN (SELECT id FROM documents)")
  const alive = new Set(
    database
      .prepare("SELECT id FROM documents")
      .all()
      .map(({ id }) => Number(id))
  )
  return (document) => alive.has(document)
}

/** Puts segments together, term by term, without the documents that are not kept. */
const merge = (
  database: DatabaseSync,
  merged: ReadonlyArray<Postings.Segment>,
  keeps: (document: number) => boolean
): void => {
  const first = Math.min(...merged.map((segment) => segment.first))
  const end = Math.max(...merged.map((segment) => segment.first + segment.count))
  const { lastInsertRowid } = database
    .prepare("INSERT INTO segments (first, count) VALUES (?, ?)")
    .run(first, end - first)
  const made: Postings.Segment = { id: Number(lastInsertRowid), first, count: end - first }
  const bySegment = new Map(merged.map((segment) => [segment.id, segment]))
  const insert = database.prepare("INSERT INTO postings (segment, term, documents) VALUES (?, ?, ?)")
  const ids = merged.map(({ id }) => id).join(", ")
  const rows = database.prepare(
    `SELECT term, segment, documents FROM postings WHERE segment IN (${ids}) ORDER BY term, segment`
  )
  let term: number | undefined
  let documents: Array<number> = []
  const write = () => {
    if (term === undefined || documents.length === 0) return
    insert.run(made.id, term, Postings.encode(Uint32Array.from(documents).sort(), made))
    documents = []
  }
  for (const row of rows.iterate()) {
    const segment = bySegment.get(Number(row.segment))
    if (Number(row.term) !== term) {
      write()
      term = Number(row.term)
    }
    if (segment === undefined) continue
    Postings.forEach(Postings.read(row.documents), segment, (document) => {
      if (keeps(document)) documents.push(document)
    })
  }
  write()
  database.exec(`DELETE FROM postings WHERE segment IN (${ids}); DELETE FROM segments WHERE id IN (${ids})`)
}
