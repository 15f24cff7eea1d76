/** Where an API is: paths are put behind it. */

/** What is wrong with it, as the end of a sentence. */
export const invalidReason = (text: string): string | undefined => {
  if (!URL.canParse(text)) return "is not the URL of a forge"
  const { hash, password, protocol, search, username } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return "is not the URL of a forge"
  if (username !== "" || password !== "") return "holds a credential, which must be given apart"
  return search === "" && hash === "" ? undefined : "goes on after its path"
}

/** The URL without slashes at its end. One that is wrong is a mistake of the program's; it may hold a secret, and is not quoted. */
export const parse = (text: string): string => {
  const wrong = invalidReason(text)
  if (wrong !== undefined) throw new TypeError(`baseUrl ${wrong}: give one as https://forge.example/api/v3`)
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, "")
}
