/** What decides where a connection leads: flags first, then the environment, then the config file, then defaults. */
import type { CredentialSource } from "./credentials/CredentialSource.ts"

export interface ConnectionSettings {
  /** The working directory: relative paths and the repository at hand are looked up from it. */
  readonly cwd: string
  readonly profile?: string | undefined
  /** A remote forge; without it, the embedded one. */
  readonly url?: string | undefined
  /** Where the credential for a remote forge comes from; without one, requests are anonymous. */
  readonly credential?: CredentialSource | undefined
  readonly dialect?: "service" | "github" | undefined
  /** Version of the API to ask for, as `2022-11-28`. */
  readonly apiVersion?: string | undefined
  /** The data folder of the embedded forge. */
  readonly data?: string | undefined
  /** Repositories to adopt, or folders that hold some. */
  readonly repos?: ReadonlyArray<string> | undefined
  readonly limits?: "off" | "spec" | undefined
  /** Where budgets live: `memory`, `sqlite` or `redis://…`. By default what is remote has `sqlite`, so that programs share. */
  readonly limitsStore?: string | undefined
  /** Whether webhooks of the embedded forge deliver to loopback and private networks too. */
  readonly allowLocalWebhooks?: boolean | undefined
  /** Milliseconds that one code search of the embedded forge may take. */
  readonly searchDeadline?: number | undefined
  /** Where a zoekt-webserver is that has the embedded forge's code index. */
  readonly codeIndex?: string | undefined
  /** A fixture file that fills the embedded forge. With it, only the repositories of `repos` are adopted. */
  readonly fixtures?: string | undefined
  /** The fixture file of the demonstration: a forge apart from the person's, that is made from it when it is new. */
  readonly demo?: string | undefined
}
