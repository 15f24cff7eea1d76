/** Options of a client. */
import type { Dialect } from "../contract/Dialect.ts"
import type { Credential, Token } from "./Credential.ts"
import type { ResponseStore } from "./ResponseStore.ts"
import type { Wait } from "./WaitLog.ts"

/** Options that clients with and without Effect have in common. Only `baseUrl` is required. */
export interface CommonOptions {
  /** Base URL of the API, for example `https://forge.example/api/v3`. */
  readonly baseUrl: string
  /** Dialect of the API. Default: `github` at `api.github.com` and `*.ghe.com`, `service` elsewhere. */
  readonly dialect?: Dialect | undefined
  /** API version to request. Default: the latest version that the contract declares. */
  readonly version?: string | undefined
  /**
   * Name of the account or application that sends the requests. A forge refuses requests without a name. Default:
   * `tongs`.
   */
  readonly userAgent?: string | undefined
  /** Time limit of one attempt in milliseconds, from sending until the whole response is in memory. Default: 60 000. */
  readonly timeout?: number | undefined
  /**
   * Fails a call with `UnexpectedResponse` if any member of the response differs from the contract. By default the
   * client leaves the member out (or sets the member to null, if the type allows null) and fails only if an identifying
   * member, such as `id`, is missing.
   */
  readonly strict?: boolean | undefined
  /**
   * Time limit in milliseconds of all attempts of a request and the delays in between, from the admission by the
   * rate-limit budget. Default: 60 000. Only `timeout` limits the first attempt. For a download, the longest time
   * without a byte.
   */
  readonly totalTimeout?: number | undefined
  /**
   * Longest wait in milliseconds for a rate limit to lift, for a call without a `deadline`. A call that would wait
   * longer fails with `RateLimited` at once; `until` of the failure says when the limit lifts. Requests that only wait
   * for previous requests are not affected. Default: 61 minutes, because every documented limit lifts within an hour.
   */
  readonly maxWait?: number | undefined
  /**
   * Called once for each request that waits longer than 3 seconds for the rate-limit budget, as soon as that is known.
   * Default: logs a warning, at most one per minute and reason.
   */
  readonly onWait?: ((wait: Wait) => void) | undefined
  /** Maximum size of a decompressed response body in bytes. Default: 128 MiB. Downloads have no limit. */
  readonly maxBody?: number | undefined
  /**
   * If false, extensions of the contract fail with `Unsupported` before anything is sent. Default: true, but false in
   * the `github` dialect.
   */
  readonly extensions?: boolean | undefined
}

/** Options of a client. Only `baseUrl` is required. */
export interface ClientOptions extends CommonOptions {
  /**
   * An access token (`Redacted.make(text)`), or a source of tokens. Without either, only public resources are readable.
   */
  readonly token?: Token | Credential | undefined
  /** Cache for conditional requests. Default: in memory. */
  readonly responseStore?: ResponseStore | undefined
}
