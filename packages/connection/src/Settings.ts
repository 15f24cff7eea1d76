/** What decides where a connection leads: flags first, then the environment, then the config file, then defaults. */
import type { Source } from "./credentials/Source.ts"

export interface Settings {
  /** The working directory: relative paths and the repository at hand are looked up from it. */
  readonly cwd: string
  readonly profile?: string | undefined
  /** A remote forge; without it, the embedded one. */
  readonly url?: string | undefined
  /** Where the credential for a remote forge comes from; without one, requests are anonymous. */
  readonly credential?: Source | undefined
  readonly dialect?: "service" | "github" | undefined
  /** The data folder of the embedded forge. */
  readonly data?: string | undefined
  /** Repositories to adopt, or folders that hold some. */
  readonly repos?: ReadonlyArray<string> | undefined
  readonly limits?: "off" | "spec" | undefined
  /** Whether webhooks of the embedded forge deliver to loopback and private networks too. */
  readonly allowLocalWebhooks?: boolean | undefined
  /** A fixture file that fills the embedded forge. */
  readonly fixtures?: string | undefined
  /** The fixture file of the demonstration: a forge apart from the person's, that is made from it when it is new. */
  readonly demo?: string | undefined
}
