import type { ClusterOptions } from "@tongs/service/cluster/ClusterSettings"
import type { DatabaseOptions } from "@tongs/service/main/Storage"
import type { CredentialSource } from "./credentials/CredentialSource.ts"

/** The settings of a connection, merged from flags, environment variables, config file and defaults. */
export interface ConnectionSettings {
  /** The working directory, from which relative paths and the current repository are resolved. */
  readonly cwd: string
  readonly profile?: string | undefined
  /** The URL of a remote forge's API. Undefined for the embedded forge. */
  readonly url?: string | undefined
  /** The source of the credential for a remote forge. If undefined, requests are anonymous. */
  readonly credential?: CredentialSource | undefined
  readonly dialect?: "service" | "github" | undefined
  /** The API version to request, for example `2022-11-28`. */
  readonly apiVersion?: string | undefined
  /** The data folder of the embedded forge. */
  readonly data?: string | undefined
  /** The PostgreSQL database of the embedded forge. Undefined for SQLite in the data folder. */
  readonly database?: DatabaseOptions | undefined
  /** The place of the embedded forge in a cluster. Undefined for a single process. */
  readonly cluster?: ClusterOptions | undefined
  /** Folders of repositories for the embedded forge, or folders that contain repositories. */
  readonly repos?: ReadonlyArray<string> | undefined
  /** If false, the embedded forge serves no repository of the working directory. */
  readonly adopts?: boolean | undefined
  readonly limits?: "off" | "spec" | undefined
  /**
   * The store of rate-limit budgets: `memory`, `sqlite` or `redis://…`. Defaults to `sqlite` for a remote forge, so
   * that processes share budgets, and to `memory` for the embedded forge.
   */
  readonly limitsStore?: string | undefined
  /** Allows webhooks of the embedded forge to deliver to loopback and private networks. */
  readonly allowLocalWebhooks?: boolean | undefined
  /** If true, the first push to a missing repository creates it. */
  readonly pushToCreate?: boolean | undefined
  /** If true, the embedded forge signs the commits that it creates. */
  readonly signCommits?: boolean | undefined
  /** Time limit of one code search of the embedded forge, in milliseconds. */
  readonly searchDeadline?: number | undefined
  /**
   * Lets the owner search uncommitted files in the embedded forge. Not a configuration setting, because the process
   * must have no other clients.
   */
  readonly searchesWorkTrees?: boolean | undefined
  /** Patterns of the branches that the embedded forge indexes besides the default branches, for example `release-*`. */
  readonly indexBranches?: ReadonlyArray<string> | undefined
  /** Indexes the repositories of the embedded forge in the background, for programs that run for a long time. */
  readonly indexesInBackground?: boolean | undefined
  /** The URLs of zoekt servers, which replace the embedded forge's own code index. */
  readonly codeIndex?: ReadonlyArray<string> | undefined
  /** A fixture file for the embedded forge, which then serves only the repositories of the file and of `repos`. */
  readonly fixtures?: string | undefined
  /**
   * The fixture file of the demonstration. If present, the connection is to a separate embedded forge with this data.
   */
  readonly demo?: string | undefined
}
