import { setImmediate } from "node:timers/promises"

/** Maximum number of bytes and of files to read ahead. A larger file is read ahead alone. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_FILES = 512

/** Number of bytes after which the event loop runs, so that the output of git is read meanwhile. */
const YIELD_BYTES = 128 * 1024

/** A file to read, with the size in bytes. */
export interface SizedFile {
  readonly size: number
}

/**
 * Reads files in order, several ahead of use, so that git reads during the use. Bounds the bytes in memory. Rejects
 * with the first error of `read`, at the file's turn.
 */
export async function* readAhead<File extends SizedFile, Content>(
  files: Iterable<File> | AsyncIterable<File>,
  read: (file: File) => Promise<Content>
): AsyncGenerator<readonly [File, Content]> {
  const source = iterate(files)
  const ahead: Array<readonly [File, Promise<Content>]> = []
  let bytes = 0
  let next = await source.next()
  const fill = async () => {
    while (next.done !== true && ahead.length < MAX_FILES) {
      const file = next.value
      if (ahead.length > 0 && bytes + file.size > MAX_BYTES) return
      const content = read(file)
      // Prevents an unhandled rejection: the caller can stop before the files that were read ahead.
      content.catch(() => {})
      ahead.push([file, content])
      bytes += file.size
      next = await source.next()
    }
  }
  let used = 0
  while (true) {
    // Requests many files at a time, because each write to git is a system call.
    if (ahead.length <= MAX_FILES / 2 && bytes <= MAX_BYTES / 2) await fill()
    const first = ahead.shift()
    if (first === undefined) return
    const [file, content] = first
    yield [file, await content]
    bytes -= file.size
    used += file.size
    if (used < YIELD_BYTES) continue
    used = 0
    await setImmediate()
  }
}

async function* iterate<A>(all: Iterable<A> | AsyncIterable<A>): AsyncGenerator<A> {
  yield* all
}
