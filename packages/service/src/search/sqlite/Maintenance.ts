import { existsSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as DocumentParts from "./DocumentParts.ts"
import * as Postings from "./Postings.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import type { WriterLease } from "./WriterLease.ts"

/** Maximum number of fresh documents, of small segments, and of documents in a small segment. */
const MAX_FRESH = 1_000
const MAX_SMALL = 12
const SMALL_SEGMENT = 5_000

/** Maximum number of terms, counted per document, in a segment of fresh documents. */
const SETTLED_TERMS = 4_000_000

/**
 * Number of unreferenced documents, and share of all documents. Above both limits, unreferenced documents are removed.
 */
const MAX_DEAD = 2_000
const DEAD_SHARE = 0.4

/**
 * Moves fresh documents into segments, merges small segments, and removes unreferenced documents and deleted
 * repositories, each only above a threshold.
 */
export const maintain = (database: DatabaseSync, lease: WriterLease): void => {
  const count = (of: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${of}`).get()?.n)
  const isSettling = count("fresh") > MAX_FRESH
  if (isSettling) {
    lease.transaction(() => {
      settleFresh(database)
      forgetGone(database)
    })
  }
  // Counts unreferenced documents only after moving fresh documents: counting is slow, and the number grows slowly.
  const isDue = isSettling && hasManyDead(database)
  const merged = isDue ? segments(database) : segments(database).filter(({ count }) => count <= SMALL_SEGMENT)
  if (isDue) lease.transaction(() => merge(database, merged, isAlive(database)))
  else if (merged.length > MAX_SMALL) lease.transaction(() => merge(database, merged, () => true))
}

/** Removes a deleted repository, and unreferenced documents if there are many now. */
export const forgetRepository = (database: DatabaseSync, lease: WriterLease, gitDir: string): void => {
  const row = database.prepare("SELECT id FROM repositories WHERE git_dir = ?").get(gitDir)
  if (row === undefined) return
  lease.transaction(() => removeRepository(database, Number(row.id)))
  const merged = segments(database)
  if (merged.length > 0 && hasManyDead(database)) {
    lease.transaction(() => merge(database, merged, isAlive(database)))
  }
}

const hasManyDead = (database: DatabaseSync): boolean => {
  const count = (of: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${of}`).get()?.n)
  const dead = count(DEAD_DOCUMENTS)
  return dead > MAX_DEAD && dead > DEAD_SHARE * count("documents")
}

/** Returns all segments, ordered by first document. */
export const segments = (database: DatabaseSync): ReadonlyArray<Postings.Segment> =>
  database
    .prepare("SELECT id, first, count FROM segments ORDER BY first")
    .all()
    .map((row) => ({ id: Number(row.id), first: Number(row.first), count: Number(row.count) }))

const settleFresh = (database: DatabaseSync): void => {
  const builder = new SegmentBuilder(SETTLED_TERMS)
  for (const row of database.prepare("SELECT document, terms FROM fresh ORDER BY document").all()) {
    const terms = readTerms(row.terms)
    if (!builder.hasRoom(terms.length)) builder.write(database)
    builder.add(Number(row.document), terms)
  }
  builder.write(database)
  database.exec("DELETE FROM fresh")
}

/**
 * Removes repositories without a git folder. A repository that returns, for example on a remounted disk, is indexed
 * again.
 */
const forgetGone = (database: DatabaseSync): void => {
  for (const { git_dir, id } of database.prepare("SELECT id, git_dir FROM repositories").all()) {
    if (!existsSync(String(git_dir))) removeRepository(database, Number(id))
  }
}

const removeRepository = (database: DatabaseSync, id: number): void => {
  const rows = ["files WHERE repository", "pins WHERE repository", "unreadable WHERE repository"]
  for (const row of [...rows, "imprecise WHERE repository", "repositories WHERE id"]) {
    database.prepare(`DELETE FROM ${row} = ?`).run(id)
  }
}

/** Encodes ascending terms for the table `fresh`. */
export const writeTerms = (terms: Uint32Array): Uint8Array => Postings.encodeDistances(terms, -1)

/** Decodes the terms of a row of the table `fresh`, ascending. */
export const readTerms = (bytes: unknown): Uint32Array => {
  const terms: Array<number> = []
  if (bytes instanceof Uint8Array) Postings.forEachDistance(bytes, -1, (term) => terms.push(term))
  return Uint32Array.from(terms)
}

const DEAD_DOCUMENTS =
  "documents WHERE id NOT IN (SELECT document FROM files) AND id NOT IN (SELECT document FROM pins)"

const isAlive = (database: DatabaseSync): ((document: number) => boolean) => {
  database.exec(`DELETE FROM ${DEAD_DOCUMENTS}`)
  database.exec("DELETE FROM imprecise WHERE document NOT IN (SELECT id FROM documents)")
  const alive = new Set<number>()
  for (const { id, size } of database.prepare("SELECT id, size FROM documents WHERE reason IS NULL").iterate()) {
    for (let part = 0; part < DocumentParts.count(Number(size)); part++) alive.add(Number(id) + part)
  }
  const remove = database.prepare("DELETE FROM fresh WHERE document = ?")
  for (const { document } of database.prepare("SELECT document FROM fresh").all()) {
    if (!alive.has(Number(document))) remove.run(Number(document))
  }
  return (document) => alive.has(document)
}

/** Merges segments term by term, and drops the documents for which `keeps` is false. */
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
