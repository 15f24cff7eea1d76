import { gitError } from "./GitError.ts"

/** Whether the text is a whole object id, SHA-1 or SHA-256, as git writes it. */
export const isOid = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The error for an id that is not one. */
export const invalidOid = (text: string) =>
  gitError({ _tag: "InvalidObject", detail: `${JSON.stringify(text.slice(0, 100))} is not an object id` })
