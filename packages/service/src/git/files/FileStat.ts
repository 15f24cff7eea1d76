/** Detects changes of files and folders by their metadata, as git's index does. */
import { type BigIntStats, type PathLike, statSync } from "node:fs"

/**
 * Metadata of a file, a folder, or the target of a link. `undefined` if the path does not exist or cannot be reached.
 */
export const stat = (path: PathLike): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** True if a file did not change between two reads of metadata. */
export const isSame = (a: BigIntStats | undefined, b: BigIntStats | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.dev === b.dev && a.size === b.size

/** The current time in nanoseconds, for {@link isSettled}. Read the time before the metadata. */
export const now = (): bigint => BigInt(Date.now()) * 1_000_000n

/** True if the modification time is old enough at `time` that another change would alter it. */
export const isSettled = (stat: BigIntStats | undefined, time: bigint): boolean =>
  stat === undefined || time - stat.mtimeNs > granularity(stat.mtimeNs)

/**
 * Nanoseconds within which two changes can get the same time: a clock tick, doubled for safety, or two seconds on file
 * systems with whole seconds, for example FAT.
 */
const granularity = (mtimeNs: bigint): bigint => (mtimeNs % 1_000_000_000n === 0n ? 2_000_000_000n : 20_000_000n)
