import { languageOf } from "../../git/values/Languages.ts"

const families: Readonly<Record<string, string>> = {
  C: "c",
  "C++": "c",
  TypeScript: "js",
  JavaScript: "js",
  Vue: "js",
  Svelte: "js",
  Java: "jvm",
  Kotlin: "jvm"
}

/** Returns the family of languages of a file. Languages of a family see each other's names. */
export const familyOf = (path: string): string | undefined => {
  const language = languageOf(path)
  return language === undefined ? undefined : (families[language] ?? language)
}
