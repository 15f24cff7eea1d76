import { gitError } from "./GitError.ts"

/** True for an unabbreviated SHA-1 or SHA-256 object id in lower case. */
export const isOid = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The error for text that is not an object id. */
export const invalidOid = (text: string) =>
  gitError({ _tag: "InvalidObject", detail: `${JSON.stringify(text.slice(0, 100))} is not an object id` })
