/**
 * Decides to which IP addresses deliveries may go. The owner of a webhook chooses a URL that the forge calls from
 * inside its network, so private addresses are refused unless the operator allows them. The check and the connection
 * use the same resolved address, which defeats DNS rebinding.
 */
import { lookup } from "node:dns"
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from "node:net"

// Separate lists for IPv4 and IPv6, because a common list would treat every IPv4 address as IPv4-mapped.
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
  // IPv6 addresses that contain an IPv4 address: mapped, translated, tunnelled.
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

/** True for an IP address on the public internet. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closed[4].check(address)
  return isIPv6(address) && !closed[6].check(address, "ipv6")
}

/** The policy does not allow deliveries to this address. */
export class ForbiddenAddress extends Error {
  constructor(address: string) {
    super(`${address} is on a local network, to which this forge does not deliver (--allow-local-webhooks allows it)`)
  }
}

/** Checks a host name that is an IP address, for which Node does not call `lookup`. Throws `ForbiddenAddress`. */
export const checkHostname = (hostname: string): void => {
  const address = hostname.replace(/^\[(.*)\]$/, "$1")
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new ForbiddenAddress(address)
}

/** Resolves a host for a connection. Fails with `ForbiddenAddress` if an address of the host is not public. */
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
