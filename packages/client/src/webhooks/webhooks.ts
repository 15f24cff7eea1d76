import { parse } from "./Delivery.ts"
import { sign, verify } from "./Signature.ts"

/** Webhooks: `verify` checks the signature of a delivery, `parse` also returns the typed event, `sign` is for tests. */
export const webhooks = { parse, sign, verify }
