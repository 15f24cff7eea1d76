/** Looking up a name without the risk that the program cannot end. */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"

/** How long a name server may take to say anything, in milliseconds. */
const PATIENCE = 5_000

/**
 * The system's lookup cannot be called off, and a process does not end before it: ten seconds and more, where no name server
 * answers. So one first asks, in a way that can be left behind, whether it answers at all.
 */
export const lookup: LookupFunction = (name, options, done) => {
  const look = () => Dns.lookup(name, options, done)
  if (name === "localhost") return look()
  new Dns.Resolver({ timeout: PATIENCE, tries: 1 }).resolve4(name, (error) =>
    error?.code === Dns.TIMEOUT ? done(error, "") : look()
  )
}
