import { useEffect, useEffectEvent, type RefObject } from "react"
import * as QueryToggles from "./QueryToggles.ts"

/** The buttons in the search box: match case, whole word, regular expression. The keys are as in editors. */
export const SearchToggles = ({
  box,
  isActive,
  onFlip,
  text
}: {
  readonly text: string
  readonly box: RefObject<HTMLInputElement | null>
  /** Whether the keys work outside the box, too. */
  readonly isActive: boolean
  readonly onFlip: (toggle: QueryToggles.Toggle) => void
}) => {
  // By `code`, because Option on a Mac changes `key`.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const toggle = toggles.find(({ code }) => code === event.code)?.toggle
    if (toggle === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const isElsewhere =
      event.target instanceof Element && event.target.closest("input, [role=dialog], .cm-editor") !== null
    if (event.target !== box.current && (!isActive || isElsewhere)) return
    event.preventDefault()
    onFlip(toggle)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener("keydown", listener)
    return () => document.removeEventListener("keydown", listener)
  }, [])
  return (
    <div className="toggles" role="group" aria-label="Search options">
      {toggles.map(({ key, label, name, toggle }) => (
        <button
          key={toggle}
          type="button"
          aria-label={name}
          aria-keyshortcuts={`Alt+${key}`}
          aria-pressed={QueryToggles.isOn(text, toggle)}
          title={`${name} (Alt+${key})`}
          // Keeps the focus in the search box.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onFlip(toggle)}
          // Generated content, which is not part of the accessible name.
          data-label={label}
        />
      ))}
    </div>
  )
}

const toggles = [
  { toggle: "case", label: "Aa", name: "Match case", key: "C", code: "KeyC" },
  { toggle: "word", label: "ab", name: "Whole word", key: "W", code: "KeyW" },
  { toggle: "regex", label: ".*", name: "Regular expression", key: "R", code: "KeyR" }
] as const // the names must stay literals
