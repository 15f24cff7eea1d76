/** Settings and limits of `git receive-pack`. */
import { devNull } from "node:os"

const GIGABYTE = 1024 ** 3

const MAX_PACK_BYTES = 2 * GIGABYTE

/** Maximum bytes of a request: a pack and the preceding list of references. */
export const MAX_REQUEST_BYTES = MAX_PACK_BYTES + 64 * 1024 * 1024

/**
 * Maximum memory of one allocation. A delta of a few bytes can describe an object of gigabytes, which git assembles in
 * memory. Blobs above `core.bigFileThreshold` are streamed and can be larger.
 */
export const environment = { GIT_ALLOC_LIMIT: "256m" }

/** Deadlines in milliseconds: of a push in which neither side sends anything, and of the whole push. */
export const deadlines = { silenceMillis: 60_000, stallMillis: 60_000, totalMillis: 60 * 60_000 }

/** CPU time in seconds of every push, and additional CPU time of each megabyte. */
const CPU_SECONDS = 8
const CPU_SECONDS_PER_MEGABYTE = 2

/**
 * The CPU time in seconds that git may take for a push. Deltas of a few bytes can describe objects of hundreds of
 * megabytes each. The history of this repository needs 0.05 s for each megabyte.
 */
export const cpuLimit = (bytes: number): number => CPU_SECONDS + (CPU_SECONDS_PER_MEGABYTE * bytes) / 1024 ** 2

/** Problems in objects of old versions of git and other programs. Harmless, and in the history of many projects. */
const ignoredProblems = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"]

/** References of one work tree only, invisible to other clients, and those of pull requests. */
const hiddenRefs = ["refs/bisect", "refs/rewritten", "refs/worktree", "refs/pull"]

/**
 * A client can send an unrequested signed certificate, which git would verify with these programs and the user's keys.
 */
const signaturePrograms = ["gpg.program", "gpg.x509.program", "gpg.ssh.program"]

/** Returns the settings. `hooks` is the folder of the hook. */
export const settings = (hooks: string): ReadonlyArray<string> => [
  `core.hooksPath=${hooks}`,
  "receive.fsckObjects=true",
  ...ignoredProblems.map((problem) => `receive.fsck.${problem}=ignore`),
  ...hiddenRefs.map((prefix) => `receive.hideRefs=${prefix}`),
  ...signaturePrograms.map((name) => `${name}=${devNull}`),
  `receive.maxInputSize=${MAX_PACK_BYTES}`,
  "receive.advertisePushOptions=true",
  "receive.autogc=false",
  // Without a value git adds advice on how to change this setting.
  "receive.denyDeleteCurrent=refuse",
  "core.bigFileThreshold=32m",
  "pack.threads=2"
]
