import { assert, it } from "@effect/vitest"
import * as AddressPolicy from "./AddressPolicy.ts"

it("permits public addresses only", () => {
  for (const address of ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111"]) {
    assert.isTrue(AddressPolicy.isPublicAddress(address), address)
  }
  for (const address of [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "localhost",
    ""
  ]) {
    assert.isFalse(AddressPolicy.isPublicAddress(address), address)
  }
})
