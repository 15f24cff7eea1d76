/** Escapes text for use in a regular expression. Own code: importing `effect/RegExp` splits the entry chunk into four. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
