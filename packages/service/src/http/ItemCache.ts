/**
 * Caches the JSON of list items by all dependencies of the item, so that a list with one changed item encodes only this
 * item. The ETag of a list is a hash of the digests of all items.
 */
import { hash } from "node:crypto"
import { LruCache } from "../base/LruCache.ts"
import type { KeyedItem, KeyedSlice } from "../base/Paging.ts"

/** Maximum size of all cached items together, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024

/** Maximum size of cached lists, in bytes. Lists with equal item digests are equal. */
const MAX_LIST_BYTES = 2 * 1024 * 1024

/** Approximate memory of a cached item without JSON and key, in bytes. */
const OVERHEAD = 400

interface EncodedItem {
  readonly json: Buffer
  readonly digest: string
}

/** The JSON of a list, with a text that identifies the JSON. */
export interface EncodedList {
  readonly body: Uint8Array
  readonly identity: string
}

export interface ItemCache {
  /**
   * Encodes a page of a list. `scope` names everything besides the keys that the JSON depends on. `project` converts a
   * list of items to the version and dialect of the request.
   */
  readonly encode: (
    scope: string,
    page: Pick<KeyedSlice<unknown>, "key" | "keyed">,
    project: (items: ReadonlyArray<unknown>) => unknown
  ) => EncodedList
}

const comma = ",".charCodeAt(0)
const open = "[".charCodeAt(0)
const close = "]".charCodeAt(0)

export const make = (limit = MAX_BYTES): ItemCache => {
  const known = new LruCache<EncodedItem>(limit)
  const lists = new LruCache<EncodedList>(MAX_LIST_BYTES)

  const encodeItem = (scope: string, { key, make }: KeyedItem<unknown>, project: (items: [unknown]) => unknown) => {
    const id = key === undefined ? undefined : `${scope}\n${key}`
    const cached = id === undefined ? undefined : known.get(id)
    if (cached !== undefined) return cached
    const json = Buffer.from(JSON.stringify(project([make()])).slice(1, -1))
    const item = { json, digest: hash("sha1", json, "base64") }
    if (id !== undefined) known.set(id, item, json.length + 2 * id.length + OVERHEAD)
    return item
  }

  return {
    encode: (scope, { key, keyed }, project) => {
      const page = key === undefined ? undefined : `${scope}\n\n${key}`
      const known = page === undefined ? undefined : lists.get(page)
      if (known !== undefined) return known
      const encoded = keyed().map((item) => encodeItem(scope, item, project))
      const identity = encoded.map(({ digest }) => digest).join("")
      const id = page ?? identity
      const equal = lists.get(id)
      if (equal !== undefined) return equal
      const list = { body: join(encoded.map(({ json }) => json)), identity }
      lists.set(id, list, list.body.length + id.length + identity.length + OVERHEAD)
      return list
    }
  }
}

/** Joins the JSON of items to a JSON array. */
const join = (items: ReadonlyArray<Buffer>): Uint8Array => {
  const body = Buffer.allocUnsafe(items.reduce((size, json) => size + json.length + 1, items.length === 0 ? 2 : 1))
  let at = 0
  for (const json of items) {
    body[at] = at === 0 ? open : comma
    body.set(json, at + 1)
    at += json.length + 1
  }
  if (at === 0) body[at++] = open
  body[at] = close
  return body
}
