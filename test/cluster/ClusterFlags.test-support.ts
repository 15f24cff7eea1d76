/** The flags that make several processes of `tongs serve` one forge. */
import { spawnSync } from "node:child_process"
import { compileCache } from "../acceptance/TongsCommand.test-support.ts"

/** Built programs, and whether they know the flags. A previous version may not. */
const known = new Map<string, boolean>()

export const isSupported = (program: string): boolean => {
  const isKnown = known.get(program)
  if (isKnown !== undefined) return isKnown
  const env = { PATH: process.env["PATH"], ...compileCache }
  const { stdout } = spawnSync(process.execPath, [program, "serve", "--help"], { encoding: "utf8", env })
  const isSupported = stdout.includes("--cluster") && process.env["TONGS_TEST_CLUSTER"] !== "off"
  known.set(program, isSupported)
  return isSupported
}

interface Member {
  readonly program: string
  /** Address of the internal server, which the other processes reach. */
  readonly address: string
  readonly port: number
  /** Folder of this process alone. */
  readonly localData: string
}

/** The flags of one process. None for a program without them, whose processes share the database and the data folder. */
export const clusterFlags = ({ address, localData, port, program }: Member): ReadonlyArray<string> =>
  isSupported(program) ? ["--cluster", `${address}:${port}`, "--local-data", localData] : []
