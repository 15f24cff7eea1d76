/** The options of `createForge`, and the defaults. */
import type { CommonOptions } from "@tongs/core/client/ClientOptions"
import * as Authentication from "./auth/Authentication.ts"
import * as LimitsStore from "./LimitsStore.ts"
import type { OptionNames } from "./OptionNames.ts"

/** Options of `createForge`. */
export interface ForgeOptions extends CommonOptions {
  /**
   * A token, a function that returns a token, or `app(…)`, `deviceFlow(…)` or `environment()`. Redacted in logs and
   * failures. Without a token, only public resources are readable.
   */
  readonly auth?: Authentication.Auth | undefined
  /**
   * Names the account of `auth`, for any token. Processes with one name share a rate-limit budget in a shared
   * `limitsStore`. Only needed for a function, because a token or an app identifies the account.
   */
  readonly account?: string | undefined
  /**
   * Longest wait in milliseconds for a rate limit to lift, for a call without a `deadline`. A call that would wait
   * longer rejects with `RateLimited` at once; `until` says when the limit lifts. Default: 120 000, enough for every
   * limit per minute. Does not limit the time in the queue while earlier requests are being sent.
   */
  readonly maxWait?: number | undefined
  /**
   * Called once for each request that waits longer than 3 seconds for the rate-limit budget, as soon as that is known.
   * Default: a warning to `log`, at most one per minute and reason.
   */
  readonly onWait?: CommonOptions["onWait"]
  /** Receives warnings, for example of a long wait. Default: `console.warn`. False: none. */
  readonly log?: ((message: string) => void) | false | undefined
  /** Where to keep rate-limit budgets: `sqlite()` or `redis(…)`, which processes share. Default: in memory. */
  readonly limitsStore?: LimitsStore.LimitsStore | undefined
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export const names: OptionNames<ForgeOptions> = {
  baseUrl: 1,
  auth: 1,
  account: 1,
  dialect: 1,
  version: 1,
  userAgent: 1,
  timeout: 1,
  totalTimeout: 1,
  strict: 1,
  maxWait: 1,
  onWait: 1,
  maxBody: 1,
  extensions: 1,
  log: 1,
  limitsStore: 1,
  fetch: 1
}

/** Longest wait for a limit to lift: a minute, the window of most limits, and a second one after a further refusal. */
const DEFAULT_MAX_WAIT = 120_000

/** Applies the defaults. Throws a `TypeError` for an invalid option. */
export const resolve = ({
  account,
  auth,
  fetch = globalThis.fetch,
  limitsStore,
  log = console.warn,
  maxWait = DEFAULT_MAX_WAIT,
  ...options
}: ForgeOptions) => {
  const { baseUrl, dialect } = options
  const makeCredential = Authentication.resolve(auth)
  const warn = log === false ? () => {} : (message: string) => log(`tongs: ${message}`)
  return {
    fetch,
    warn,
    /** The options of `@tongs/core`, except for the token. */
    clientOptions: { ...options, maxWait },
    /** Opens the shared budgets. Undefined if the client does not share budgets. */
    openStore: limitsStore === undefined ? undefined : LimitsStore.resolve(limitsStore)(warn),
    /** Creates the credential. `requestAs` creates a client with another credential. */
    makeCredential: (requestAs: Authentication.CredentialTarget["requestAs"]) =>
      makeCredential({ account, baseUrl, dialect, fetch, log: warn, requestAs })
  }
}
