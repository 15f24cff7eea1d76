/** Removes the members of API responses that agents do not use. */
import { isDeepStrictEqual } from "node:util"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as BinaryContent from "../text/BinaryContent.ts"

/**
 * Removes API links, node ids, avatars and empty members of a response. Shortens an account to the login, decodes
 * base64 text, and keeps only a committer who differs from the author. Changes only members that the contract declares:
 * free-form data, for example a webhook payload, stays complete.
 */
export const compact = (value: unknown, schemas: Presentation.Schemas): unknown => {
  if (typeof value !== "object" || value === null || Presentation.isFreeForm(schemas)) return value
  if (Array.isArray(value)) return value.map((item) => compact(item, Presentation.elementSchemas(schemas)))
  const isDeclared = (...names: ReadonlyArray<string>) =>
    names.every((name) => name in value && Presentation.hasMember(schemas, name))
  const decoded = decodeContent(value, schemas)
  if (decoded !== value) return compact(decoded, schemas)
  const title = Presentation.inlineTitle(schemas, value)
  if (title !== undefined) return title
  const isSamePerson =
    isDeclared("author", "committer") &&
    "author" in value &&
    "committer" in value &&
    isDeepStrictEqual(value.committer, value.author)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const memberSchemas = Presentation.memberSchemas(schemas, name)
      if (!isDeclared(name)) return [[name, compact(member, memberSchemas)]]
      if (member === null || member === undefined || member === "" || Presentation.isHidden(name, memberSchemas))
        return []
      if (isSamePerson && name === "committer") return []
      if (name === "verification") return [[name, verification(member)]]
      return [[name, compact(member, memberSchemas)]]
    })
  )
}

/** Decodes the content of a file or blob in base64. Returns any other value unchanged. */
export const decodeContent = (value: object, schemas: Presentation.Schemas): object =>
  ["encoding", "content"].every((name) => name in value && Presentation.hasMember(schemas, name)) &&
  "encoding" in value &&
  value.encoding === "base64"
    ? decodeBase64(value)
    : value

const decodeBase64 = (value: object) => {
  const { content, ...rest }: { readonly content?: unknown } = value
  const bytes = Buffer.from(String(content), "base64")
  return BinaryContent.isBinary(bytes)
    ? { ...rest, encoding: undefined, binary: true }
    : { ...rest, encoding: "utf-8", content: bytes.toString("utf8") }
}

/** Reduces a signature verification to the result and the reason. Returns undefined for unsigned commits. */
const verification = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("verified" in value && "reason" in value)) return value
  return value.reason === "unsigned" ? undefined : { verified: value.verified, reason: value.reason }
}
