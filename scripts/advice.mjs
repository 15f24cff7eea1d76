/** Converts failures of npm, pnpm and the file system to sentences with advice. */
import { statfsSync } from "node:fs"
import { homedir } from "node:os"
import { Failure } from "./run.mjs"
import { root } from "./workspace.mjs"

/** Maximum lines of output to show for an unknown failure. */
const MAX_LINES = 40

/** Maximum characters to show of a line of output. */
const MAX_CHARACTERS = 300

/** Free space below which an unknown failure is attributed to a full disk, which crashes tools that map files. */
const MIN_FREE_BYTES = 50_000_000

const FULL_DISK = "The disk is full. Free about 1 GB and run this again."

/** Advice by the output of the tool that failed, the most specific first. @type {ReadonlyArray<readonly [RegExp, string]>} */
const advice = [
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    "pnpm-lock.yaml does not match the manifests. Run npx pnpm install and commit the lockfile."
  ],
  [/ENOSPC|EDQUOT|no space left|quota exceeded/i, FULL_DISK],
  [
    /EACCES|EROFS|EPERM|permission denied|read-only file system/i,
    "A folder is not writable. Make this checkout and your home folder writable, or clone into a folder of yours, and run this again."
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY)|invalid peer certificate/,
    "The registry's certificate is not trusted. If your network has a certificate of its own, name its file in NODE_EXTRA_CA_CERTS and run this again."
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|ERR_PNPM_NO_OFFLINE|dns error|error sending request/i,
    "Cannot reach the package registry. Connect to the network (or name a mirror: npm config set registry URL) and run this again; finished downloads are kept."
  ]
]

/**
 * Returns a failure with advice and the matching line of the output, or without advice with the end of the output.
 * @param {string} message
 * @param {string} output
 */
export const failureOf = (message, output) => {
  const lines = output.trimEnd().split("\n")
  for (const [pattern, next] of advice) {
    const line = lines.find((line) => pattern.test(line))
    if (line !== undefined) return new Failure(`tongs: ${message}: ${line.trim().slice(0, MAX_CHARACTERS)}\n${next}`)
  }
  const next = freeBytes() < MIN_FREE_BYTES ? FULL_DISK : "See the output above."
  return new Failure(`${lines.slice(-MAX_LINES).join("\n")}\n\ntongs: ${message}. ${next}`)
}

/** Minimum free space of the folders to which an installation writes. */
const freeBytes = () => {
  try {
    return Math.min(...[root, homedir()].map((folder) => statfsSync(folder)).map(({ bavail, bsize }) => bavail * bsize))
  } catch {
    return Infinity
  }
}
