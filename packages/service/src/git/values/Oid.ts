import { gitError } from "./GitError.ts"

/** True for an unabbreviated SHA-1 or SHA-256 object id in lower case. */
export const isOid = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The error for an invalid object id. */
export const invalidOid = (text: string) =>
  gitError({ _tag: "InvalidObject", detail: `${JSON.stringify(text.slice(0, 100))} is not an object id` })

/** Ids of the tree without entries, which git knows without an object. */
export const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
}
