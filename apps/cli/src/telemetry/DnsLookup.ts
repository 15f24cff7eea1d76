/** A DNS lookup that cannot keep the process alive. */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"

/** Milliseconds that a name server may take to respond. */
const TIMEOUT = 5_000

/**
 * Looks up a name. The system's lookup cannot be cancelled, and keeps the process alive for ten seconds and more if no
 * name server responds. So this first checks, with a resolver that can be abandoned, that one does.
 */
export const lookup: LookupFunction = (name, options, done) => {
  const look = () => Dns.lookup(name, options, done)
  if (name === "localhost") return look()
  new Dns.Resolver({ timeout: TIMEOUT, tries: 1 }).resolve4(name, (error) =>
    error?.code === Dns.TIMEOUT ? done(error, "") : look()
  )
}
