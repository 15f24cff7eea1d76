/**
 * Which addresses deliveries may go to. A webhook makes the forge call whom its owner names, from inside the network of
 * whoever runs it; so what is not on the open internet is refused unless that person allows it. What is judged is the
 * address, after the name was looked up, and the connection is made to that very address: a name that leads elsewhere
 * the next moment gains nothing.
 */
import { lookup } from "node:dns"
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from "node:net"

// Two lists: one list would take every IPv4 address for a mapped one.
const closed = { 4: new BlockList(), 6: new BlockList() }
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const) {
  closed[4].addSubnet(network, prefix, "ipv4")
}
for (const [network, prefix] of [
  ["::", 96],
  // IPv4 in other clothes: mapped, translated, tunnelled.
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8]
] as const) {
  closed[6].addSubnet(network, prefix, "ipv6")
}

/** Whether an address is on the open internet. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closed[4].check(address)
  return isIPv6(address) && !closed[6].check(address, "ipv6")
}

/** The target is not one that deliveries may go to. */
export class ForbiddenAddress extends Error {
  constructor(address: string) {
    super(`${address} is on a local network, to which this forge does not deliver (--allow-local-webhooks allows it)`)
  }
}

/** Checks a host that is an address already: those are not looked up. */
export const checkHostname = (hostname: string): void => {
  const address = hostname.replace(/^\[(.*)\]$/, "$1")
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new ForbiddenAddress(address)
}

/** How a connection finds the addresses of its host. One that is closed refuses them all. */
export const lookupPublicAddress: LookupFunction = (hostname, { all = false, ...options }, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "")
    const [first] = addresses
    const refused = addresses.find(({ address }) => !isPublicAddress(address))
    if (first === undefined || refused !== undefined) {
      return callback(new ForbiddenAddress(refused === undefined ? hostname : `${hostname} (${refused.address})`), "")
    }
    return all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
