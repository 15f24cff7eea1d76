import * as Effect from "effect/Effect"
import type { Git, RunOptions } from "./Git.ts"

/** The start of a command's output. */
export interface BoundedOutput {
  readonly bytes: Buffer
  /** False if the output was cut off. */
  readonly isComplete: boolean
}

/** Runs git until `limit` bytes are printed. */
export const run = Effect.fnUntraced(function* (
  git: Git["Service"],
  args: ReadonlyArray<string>,
  limit: number,
  options: Omit<RunOptions, "onOutput">
) {
  const chunks: Array<Buffer> = []
  let size = 0
  const onOutput = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    return size <= limit
  }
  yield* git.run(args, { ...options, onOutput })
  const output: BoundedOutput = { bytes: Buffer.concat(chunks).subarray(0, limit), isComplete: size <= limit }
  return output
})

/** Returns the entries of an output with NUL-terminated entries, without an incomplete last entry. */
export const wholeEntries = ({ bytes, isComplete }: BoundedOutput): Buffer =>
  isComplete ? bytes : bytes.subarray(0, bytes.lastIndexOf(0) + 1)
