import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import { displayText } from "../model/displayText.ts"

interface Share {
  readonly name: string
  readonly size: number
}

/** Maximum number of listed languages. The rest is listed together as "other". */
const MAX_LISTED = 4

/** The count of colours in the style sheet. */
const HUES = 8

/** The colour index of each of the most used languages, the same for all repositories. */
export const languageHues = (repositories: ReadonlyArray<IndexedRepository>): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { name, size } of repositories.flatMap(({ languages }) => languages)) {
    sizes.set(name, (sizes.get(name) ?? 0) + size)
  }
  return new Map(
    [...sizes]
      .sort(([, a], [, b]) => b - a)
      .slice(0, HUES)
      .map(([name], hue) => [name, hue])
  )
}

/** The languages of a repository by share of bytes, as a bar and a list. */
export const LanguageBar = ({
  hues,
  languages
}: {
  readonly languages: ReadonlyArray<Share>
  readonly hues: ReadonlyMap<string, number>
}) => {
  const total = languages.reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return null
  const listed = languages.slice(0, MAX_LISTED)
  const rest = languages.slice(MAX_LISTED).reduce((sum, { size }) => sum + size, 0)
  const parts = rest === 0 ? listed : [...listed, { name: "other", size: rest }]
  return (
    <div className="languages">
      <div className="language-segments" aria-hidden="true">
        {parts.map(({ name, size }) => (
          <span key={name} data-hue={hues.get(name) ?? "other"} style={{ flexGrow: size / total }} />
        ))}
      </div>
      <ul aria-label="Languages">
        {parts.map(({ name, size }) => (
          <li key={name} data-hue={hues.get(name) ?? "other"}>
            {displayText(name)} <span className="dim">{percent(size / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const percent = (share: number): string => (share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`)
