/** How long the parts of a cluster wait for each other. */
import * as Duration from "effect/Duration"

/** The address of a process at which the other processes of the cluster reach it. */
export interface ClusterAddress {
  readonly host: string
  readonly port: number
}

export interface ClusterOptions {
  readonly address: ClusterAddress
  /** The folder of this process alone, with the code index. */
  readonly localData: string
}

/** The name of a process in the cluster: `HOST:PORT`, as in the table of locks. */
export const runnerName = ({ host, port }: ClusterAddress) => `${host}:${port}`

/** The address in the name of a process. */
export const addressOf = (runner: string): ClusterAddress => {
  const colon = runner.lastIndexOf(":")
  return { host: runner.slice(0, colon), port: Number(runner.slice(colon + 1)) }
}

/** Shards of all repositories. All processes of a cluster must have the same number. */
export const SHARDS = 128

/** Time after which a process that does not refresh its locks has lost its shards, and the interval of the refreshes. */
export const lockExpiration = Duration.seconds(10)
export const lockRefresh = Duration.seconds(2)

/** A duration as a text for PostgreSQL. */
export const interval = (duration: Duration.Duration) => `${Duration.toMillis(duration)} milliseconds`

/**
 * Maximum pause in a transaction, which holds the lock of all writes. The two transactions of a stopped process together
 * pause for less time than other writers wait for the lock.
 */
export const idleInTransaction = Duration.seconds(4)

/** Interval of looking for new and ended processes. */
export const membersInterval = Duration.millis(500)

/** Maximum time that a request waits for an owner of its repository, before it gets 503. */
export const moveLimit = Duration.seconds(15)

/** Maximum time of one question for an owner, which includes taking the repository over. */
export const questionLimit = Duration.seconds(12)

/** Maximum time that a leaving owner waits for the running requests of a repository. */
export const finishLimit = Duration.seconds(10)

/** Maximum time to hand all shards over to other processes. */
export const leaveLimit = Duration.seconds(15)

/** Time without requests after which an owner forgets a repository, whose next request takes it over again. */
export const idleLimit = Duration.minutes(15)

/** Interval of the pings to other processes. A process that does not answer loses its shards. */
export const pingInterval = Duration.seconds(10)

/** Prefix of the headers that only the processes of a cluster send each other. */
export const OWN_PREFIX = "x-tongs-"

/** Header with the secret of the cluster, of all requests between its processes. */
export const SECRET_HEADER = "x-tongs-cluster"

/** Headers of a forwarded request: the repository that the receiver must own, and the IP address of the client. */
export const REPOSITORY_HEADER = "x-tongs-repository"
export const CLIENT_HEADER = "x-tongs-client"

/** Header of a forwarded request with what the database answered to the process that received it (`StoreRevision`). */
export const REVISION_HEADER = "x-tongs-revision"

/** Header of a forwarded request with the id that logs and the response have. */
export const ID_HEADER = "x-tongs-request-id"

/**
 * Paths of the internal server. A forwarded request has its own path behind `FORWARDED_PATH`: an account may have the name
 * `cluster`, and repositories the names of the other paths.
 */
export const FORWARDED_PATH = "/cluster/forwarded"
export const RPC_PATH = "/cluster/rpc"
export const OWNER_PATH = "/cluster/owner/"
export const CALL_PATH = "/cluster/call"
export const PING_PATH = "/cluster/ping"
export const SEARCH_PATH = "/cluster/search/"
