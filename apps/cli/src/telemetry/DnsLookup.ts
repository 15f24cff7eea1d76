/** A DNS lookup that does not keep the process alive. */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"

/** Time limit in milliseconds for the response of a name server. */
const TIMEOUT = 5_000

/**
 * Looks up a host name. The system's lookup cannot be cancelled, and keeps the process alive for 10 s or more if no
 * name server responds. So this function first checks with a cancellable resolver that a name server responds.
 */
export const lookup: LookupFunction = (name, options, done) => {
  const look = () => Dns.lookup(name, options, done)
  if (name === "localhost") return look()
  new Dns.Resolver({ timeout: TIMEOUT, tries: 1 }).resolve4(name, (error) =>
    error?.code === Dns.TIMEOUT ? done(error, "") : look()
  )
}
