/** The zip file with the logs of an attempt: one file for each job, and a folder with one file for each step. */
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { ZipFile } from "yazl"
import type { WorkflowJobRow } from "../../runs/WorkflowJobRows.ts"

/** A job and its log. */
export interface JobLog {
  readonly job: WorkflowJobRow
  readonly path: string
  readonly size: number
}

/** Maximum length of a name in the archive. */
const MAX_NAME = 90

/** A name without the characters that GitHub's archives leave out. */
const clean = (name: string) =>
  name
    .replaceAll(/["<>|*?:\\/\p{Cc}]/gu, "")
    .replace(/^\.+/, "")
    .slice(0, MAX_NAME)
    .toWellFormed()
    .trim() || "unnamed"

/** Parts of a log by step. Without positions, the whole log belongs to the first step. */
const partsOf = ({ job: { steps }, size }: JobLog) => {
  const known = steps.flatMap(({ log_offset, name, number }) =>
    log_offset === null || log_offset > size ? [] : [{ name, number, start: log_offset }]
  )
  const [first] = steps
  const placed =
    known.length > 0 ? known : first === undefined ? [] : [{ name: first.name, number: first.number, start: 0 }]
  const sorted = placed.toSorted((a, b) => a.start - b.start)
  return sorted.map(({ name, number, start }, index) => ({
    name,
    number,
    start,
    end: sorted[index + 1]?.start ?? size
  }))
}

/** Streams the archive. Files are opened one after the other. A failure destroys the stream. */
export const stream = (logs: ReadonlyArray<JobLog>): Readable => {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable // oxlint-disable-line typescript/no-unsafe-type-assertion -- yazl creates a PassThrough
  const add = (name: string, path: string, start: number, end: number) => {
    if (end <= start) return archive.addBuffer(Buffer.alloc(0), name)
    archive.addReadStreamLazy(name, { size: end - start }, (opened) => {
      const file = createReadStream(path, { start, end: end - 1 })
      output.once("close", () => file.destroy())
      opened(null, file)
    })
  }
  archive.on("error", (error) => output.destroy(error instanceof Error ? error : new Error(String(error))))
  const used = new Set<string>()
  for (const [index, log] of logs.entries()) {
    const name = clean(log.job.name)
    add(`${index}_${name}.txt`, log.path, 0, log.size)
    // Two jobs can have the same name in the archive: only the first one has files of steps.
    if (used.has(name)) continue
    used.add(name)
    for (const part of partsOf(log))
      add(`${name}/${part.number}_${clean(part.name)}.txt`, log.path, part.start, part.end)
  }
  archive.end()
  return output
}
