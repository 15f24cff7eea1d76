/** Words of the command lines that messages suggest. */

/** Quotes a word for a POSIX shell if necessary. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
