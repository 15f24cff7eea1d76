import { existsSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import { encodeDistances, forEachDistance } from "./Postings.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import { merge, segments } from "./Segments.ts"
import type { WriterLease } from "./WriterLease.ts"

/** Number of fresh blocks and of small segments above which maintenance is due, and of blocks in a small segment. */
const MAX_FRESH = 1_000
const MAX_SMALL = 12
const SMALL_SEGMENT = 25_000

/** Number of fresh blocks above which an update does not leave maintenance for later, because searches become slower. */
const MAX_UNSETTLED = 5_000

/** Maximum number of terms, counted per block, in a segment of fresh blocks. */
const SETTLED_TERMS = 4_000_000

/**
 * Number of unreferenced documents, and share of all documents. Above both limits, unreferenced documents are removed.
 */
const MAX_DEAD = 2_000
const DEAD_SHARE = 0.4

/** True if maintenance must not wait. */
export const isOverdue = (database: DatabaseSync): boolean =>
  Number(database.prepare("SELECT count(*) AS n FROM fresh").get()?.n) > MAX_UNSETTLED

/**
 * Moves fresh blocks into segments, merges small segments, and removes unreferenced documents and deleted
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
  // Counts unreferenced documents only after moving fresh blocks: counting is slow, and the number grows slowly.
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

const settleFresh = (database: DatabaseSync): void => {
  const builder = new SegmentBuilder(SETTLED_TERMS)
  for (const row of database.prepare("SELECT block, terms FROM fresh ORDER BY block").all()) {
    const terms = readTerms(row.terms)
    if (!builder.hasRoom(terms.length)) builder.write(database)
    builder.add(Number(row.block), terms)
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
export const writeTerms = (terms: Uint32Array): Uint8Array => encodeDistances(terms, -1)

/** Decodes the terms of a row of the table `fresh`, ascending. */
export const readTerms = (bytes: unknown): Uint32Array => {
  const terms: Array<number> = []
  if (bytes instanceof Uint8Array) forEachDistance(bytes, -1, (term) => terms.push(term))
  return Uint32Array.from(terms)
}

const DEAD_DOCUMENTS =
  "documents WHERE id NOT IN (SELECT document FROM files) AND id NOT IN (SELECT document FROM pins)"

/** Deletes the unreferenced documents, and returns a test for the blocks of the others. */
const isAlive = (database: DatabaseSync): ((block: number) => boolean) => {
  const contents = database.prepare("DELETE FROM contents WHERE id >= ? AND id < ?")
  for (const { id, size } of database.prepare(`SELECT id, size FROM ${DEAD_DOCUMENTS}`).all()) {
    contents.run(Number(id), Number(id) + DocumentBlocks.count(Number(size)))
  }
  database.exec(`DELETE FROM ${DEAD_DOCUMENTS}`)
  database.exec("DELETE FROM imprecise WHERE document NOT IN (SELECT id FROM documents)")
  const alive = new Set<number>()
  for (const { id, size } of database.prepare("SELECT id, size FROM documents WHERE reason IS NULL").iterate()) {
    for (let block = 0; block < DocumentBlocks.count(Number(size)); block++) alive.add(Number(id) + block)
  }
  const forget = database.prepare("DELETE FROM fresh WHERE block = ?")
  for (const { block } of database.prepare("SELECT block FROM fresh").all()) {
    if (!alive.has(Number(block))) forget.run(Number(block))
  }
  return (block) => alive.has(block)
}
