/** The place of `tongs serve` in a cluster of processes that are one forge. */
import { isAbsolute, join, resolve as resolvePath } from "node:path"
import * as Effect from "effect/Effect"
import type { ClusterOptions } from "@tongs/service/cluster/ClusterSettings"
import type { DatabaseOptions } from "@tongs/service/main/Storage"
import { badSettings } from "./base/ConnectionError.ts"
import { expandHome } from "./base/UserDirectories.ts"

/** The settings from flags, environment variables or the profile. */
export interface GivenCluster {
  /** The address of this process as `HOST:PORT`. */
  readonly address: string | undefined
  readonly localData: string | undefined
  readonly cwd: string
  /** The data folder. Undefined for the default folder of this user, which other machines do not share. */
  readonly data: string | undefined
  readonly database: DatabaseOptions | undefined
}

const EXAMPLE = "for example --cluster 10.0.0.5:4181"

/** Returns the place in a cluster, or undefined for a single process. Fails with `BadSettings` for invalid settings. */
export const resolve = Effect.fnUntraced(function* ({ address, cwd, data, database, localData }: GivenCluster) {
  if (address === undefined) {
    return localData === undefined
      ? undefined
      : yield* badSettings("--local-data needs --cluster", "Use --data for the folder of a single process")
  }
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/.exec(address) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined || !(port >= 1 && port <= 65_535)) {
    return yield* badSettings(
      `--cluster ${address} is not HOST:PORT`,
      `Give the address at which the other processes reach this one, ${EXAMPLE}`
    )
  }
  if (host === "0.0.0.0" || host === "::") {
    return yield* badSettings(
      `--cluster ${address} is no address that other processes can reach`,
      `Give the address of this machine in the network of the cluster, ${EXAMPLE}`
    )
  }
  if (database === undefined) {
    return yield* badSettings(
      "--cluster needs a database that all processes share",
      "Name a PostgreSQL database with --database"
    )
  }
  if (data === undefined) {
    return yield* badSettings(
      "--cluster needs a data folder that all processes share",
      "Name a folder on a shared file system with --data"
    )
  }
  const own = localData === undefined ? join(data, "runners", `${host}-${port}`) : yield* expandHome(localData)
  const folder = isAbsolute(own) ? own : resolvePath(cwd, own)
  if (folder === resolvePath(cwd, data)) {
    return yield* badSettings("--local-data is the data folder", "Name another folder, which no other process uses")
  }
  return { address: { host, port }, localData: folder } satisfies ClusterOptions
})
