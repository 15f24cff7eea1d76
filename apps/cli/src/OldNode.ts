/** Quotes a word for a shell. */
const quoted = (word: string, platform: NodeJS.Platform) => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Returns the error for a Node that is too old, with the command line that runs `tongs args` on a newer one. */
export const oldNodeError = (node: string, args: ReadonlyArray<string>, platform: NodeJS.Platform): string => {
  const words = ["npx", "-p", "node@24", "-p", "tongs", "tongs", ...args]
  return `tongs needs Node 24 or newer, and this is Node ${node}. Run it with Node 24 from npm:

  ${words.map((word) => quoted(word, platform)).join(" ")}
`
}
